/** The token values of the current theme: a canvas cannot use CSS variables. */
export function readTokens<Name extends string>(tokens: Readonly<Record<Name, string>>): Record<Name, string> {
  const style = getComputedStyle(document.documentElement)
  const read = Object.entries<string>(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim()])
  return Object.fromEntries(read) as Record<Name, string>
}

/** Calls the listener when the theme changes. Returns a function that stops listening. */
export function watchTheme(changed: () => void): () => void {
  const watcher = new MutationObserver(changed)
  watcher.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => watcher.disconnect()
}
