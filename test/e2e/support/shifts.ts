import type { Page } from '@playwright/test'

/**
 * What moved on the page without being asked to, and how far in all; what follows an input within half a second counts
 * apart.
 */
export interface Shifts {
  byItself: number
  afterInput: number
  moved: string[]
}

interface ShiftEntry extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/** Begins to take note of every layout shift of this page. */
export async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shifts: Shifts = { byItself: 0, afterInput: 0, moved: [] }
    ;(window as unknown as { shifts: Shifts }).shifts = shifts
    const name = (node: Node | null): string => {
      const element = node instanceof Element ? node : node?.parentElement
      return element
        ? `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${(node?.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 40)}`
        : 'a node that is gone'
    }
    const at = ({ x, y, width, height }: DOMRectReadOnly): string => [x, y, width, height].map(Math.round).join(' ')
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as ShiftEntry[]) {
        if (entry.hadRecentInput) shifts.afterInput += entry.value
        else shifts.byItself += entry.value
        const sources = entry.sources.map(
          ({ node, previousRect, currentRect }) => `${name(node)} [${at(previousRect)}] to [${at(currentRect)}]`
        )
        shifts.moved.push(
          `${entry.hadRecentInput ? 'after input' : 'by itself'} ${entry.value.toFixed(5)}: ${sources.join('; ')}`
        )
      }
    }).observe({ type: 'layout-shift' })
  })
}

/** What moved since `watchShifts`. */
export function readShifts(page: Page): Promise<Shifts> {
  return page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts)
}
