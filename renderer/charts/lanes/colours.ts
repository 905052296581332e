import type { LanesPicture } from './paint.ts'

export type LaneColours = LanesPicture['colours']
export const voltageTokens = ['--c2', '--c3', '--c4', '--c1'] as const

/** What lanes are drawn with in the theme that is shown now. */
export function readLaneColours(): { colours: LaneColours; voltages: string[]; font: string } {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    colours: {
      trace: token('--trace'),
      traceSoft: token('--trace-soft'),
      warn: token('--warn'),
      warnSoft: token('--warn-soft'),
      fail: token('--fail'),
      failSoft: token('--fail-soft'),
      grid: token('--grid'),
      muted: token('--muted'),
      text: token('--text'),
      panel: token('--panel')
    },
    voltages: voltageTokens.map(token),
    font: `11px ${token('--mono')}`
  }
}

/** Tells when another theme is shown. Gives a function that ends it. */
export function watchTheme(changed: () => void): () => void {
  const watcher = new MutationObserver(changed)
  watcher.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => watcher.disconnect()
}
