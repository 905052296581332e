/** The tokens that a canvas draws with. */
const tokens = {
  text: '--text',
  muted: '--muted',
  faint: '--faint',
  panel: '--panel',
  grid: '--grid',
  line: '--line',
  warn: '--warn',
  accent: '--accent',
  device: '--device',
  gateway: '--gateway',
  c1: '--c1',
  c2: '--c2',
  c3: '--c3',
  c4: '--c4',
  font: '--font',
  mono: '--mono'
} as const

export type ChartColours = Record<keyof typeof tokens, string>

/** The colours and fonts of the theme that is shown now. */
export function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim()])) as ChartColours
}

/** Tells when another theme is shown. Gives a function that ends it. */
export function watchTheme(changed: () => void): () => void {
  const watcher = new MutationObserver(changed)
  watcher.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => watcher.disconnect()
}
