import type { Page } from '@playwright/test'

/** What a screen must never show, found in the page itself. Each problem is a short sentence. */
export function findUglyThings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = []
    const name = (element: Element): string => {
      const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 60)
      return `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> "${text}"`
    }
    const isShown = (element: Element): boolean => {
      const box = element.getBoundingClientRect()
      return box.width > 1 && box.height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    }
    const hasOwnText = (element: Element): boolean => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '')

    const tooWide = document.documentElement.scrollWidth - window.innerWidth
    if (tooWide > 0) problems.push(`the page is ${tooWide} px wider than the window`)

    for (const element of document.querySelectorAll('body *')) {
      if (!hasOwnText(element) || !isShown(element) || element.closest('.hidden, svg, select')) continue
      const style = getComputedStyle(element)
      const isMeantToEnd = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
      if (!isMeantToEnd && style.overflowX !== 'auto' && style.overflowX !== 'scroll' && style.display !== 'inline' && element.scrollWidth > element.clientWidth + 1) {
        problems.push(`cut: ${name(element)} needs ${element.scrollWidth} px and has ${element.clientWidth}`)
      }
    }

    // 44 px in one direction; links inside a running sentence are as high as its line.
    for (const element of document.querySelectorAll('a[href], button, input:not([type=radio]):not([type=checkbox]), select, textarea, summary')) {
      if (!isShown(element) || element.matches('.skip')) continue
      const { width, height } = element.getBoundingClientRect()
      if (Math.max(width, height) < 43.5) problems.push(`small: ${name(element)} is ${Math.round(width)} x ${Math.round(height)} px`)
      if (element.matches('button, .button, input, select') && !element.matches('.link') && height < 43.5) {
        problems.push(`low: ${name(element)} is ${Math.round(height)} px high`)
      }
    }
    return problems
  })
}
