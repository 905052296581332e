/** What tokens say in the theme that is shown now: a canvas cannot name them. */
export function readTokens<Name extends string>(tokens: Readonly<Record<Name, string>>): Record<Name, string> {
  const style = getComputedStyle(document.documentElement)
  const read = Object.entries<string>(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim()])
  return Object.fromEntries(read) as Record<Name, string>
}

/** Tells when another theme is shown. Gives a function that ends it. */
export function watchTheme(changed: () => void): () => void {
  const watcher = new MutationObserver(changed)
  watcher.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => watcher.disconnect()
}
