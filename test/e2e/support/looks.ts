import type { Page } from '@playwright/test'

/** At this size, once the page has been drawn for it: what follows a media query comes a frame later. */
export async function resizeWindow(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  const now = page.viewportSize()
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height })
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

/** What a screen must never show, found in the page itself. Each problem is a short sentence. */
export function findUglyThings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = []
    const name = (element: Element): string => {
      const text = (element.getAttribute('aria-label') ?? element.textContent ?? '')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 60)
      return `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> "${text}"`
    }
    const isShown = (element: Element): boolean => {
      const box = element.getBoundingClientRect()
      return (
        box.width > 1 && box.height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      )
    }
    const hasOwnText = (element: Element): boolean =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '')

    const tooWide = document.documentElement.scrollWidth - window.innerWidth
    if (tooWide > 0) problems.push(`the page is ${tooWide} px wider than the window`)
    // On small windows the page itself scrolls; on others only what is in it.
    const tooHigh = document.documentElement.scrollHeight - window.innerHeight
    if (tooHigh > 0 && window.innerWidth > 720 && window.innerHeight > 480)
      problems.push(`the page is ${tooHigh} px higher than the window`)

    for (const element of document.querySelectorAll('body *')) {
      if (!hasOwnText(element) || !isShown(element) || element.closest('.hidden, svg, select')) continue
      const style = getComputedStyle(element)
      const isMeantToEnd = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
      if (
        !isMeantToEnd &&
        style.overflowX !== 'auto' &&
        style.overflowX !== 'scroll' &&
        style.display !== 'inline' &&
        element.scrollWidth > element.clientWidth + 1
      ) {
        problems.push(`cut: ${name(element)} needs ${element.scrollWidth} px and has ${element.clientWidth}`)
      }
    }

    /**
     * The part of a text that lies outside of something around it which shows nothing beyond its edge and does not
     * scroll.
     */
    const clips = (value: string): boolean => value === 'hidden' || value === 'clip'
    const scrolls = (value: string): boolean => value === 'auto' || value === 'scroll'
    for (const element of document.querySelectorAll('body *')) {
      if (
        !hasOwnText(element) ||
        !isShown(element) ||
        element.closest('.hidden, svg, select, canvas, [inert], .leaflet-container')
      )
        continue
      const range = document.createRange()
      range.selectNodeContents(element)
      const box = range.getBoundingClientRect()
      let [x, y] = [true, true]
      for (let at: Element | null = element; at && at !== document.body && (x || y); at = at.parentElement) {
        const style = getComputedStyle(at)
        if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') break
        const edge = at.getBoundingClientRect()
        // For ears alone: one pixel is left of it.
        if (edge.width <= 1 && edge.height <= 1) break
        if (y && clips(style.overflowY) && (box.bottom > edge.bottom + 3 || box.top < edge.top - 3)) {
          problems.push(
            `clipped: ${name(element)} by ${name(at).slice(0, 60)}, ${Math.round(Math.max(box.bottom - edge.bottom, edge.top - box.top))} px`
          )
          break
        }
        if (x && clips(style.overflowX) && box.right > edge.right + 3) {
          problems.push(
            `clipped: ${name(element)} by ${name(at).slice(0, 60)}, ${Math.round(box.right - edge.right)} px at the right`
          )
          break
        }
        if (scrolls(style.overflowY)) y = false
        if (scrolls(style.overflowX)) x = false
        if (style.position === 'fixed') break
      }
    }

    /** With the room around it that belongs to it: what looks smaller than a finger has a larger `::after`. */
    const hitArea = (element: Element): { width: number; height: number } => {
      const { width, height } = element.getBoundingClientRect()
      const around = getComputedStyle(element, '::after')
      if (around.content === 'none' || around.position !== 'absolute') return { width, height }
      const grown = (...sides: string[]) => sides.reduce((sum, side) => sum + Math.max(0, -parseFloat(side) || 0), 0)
      return { width: width + grown(around.left, around.right), height: height + grown(around.top, around.bottom) }
    }
    // 44 px in one direction; links inside a running sentence, and the fields of an answer, are as high as their line.
    // At a desk the whole row is the target.
    for (const element of document.querySelectorAll(
      'a[href], button, input:not([type=radio]):not([type=checkbox]), select, textarea, summary'
    )) {
      // What cannot be pressed needs no room for a finger.
      if (!isShown(element) || element.matches('.skip') || element.closest('.desk-row, [inert], pre')) continue
      const { width, height } = hitArea(element)
      if (Math.max(width, height) < 43.5)
        problems.push(`small: ${name(element)} is ${Math.round(width)} x ${Math.round(height)} px`)
      if (element.matches('button, .button, input, select') && !element.matches('.link') && height < 43.5) {
        problems.push(`low: ${name(element)} is ${Math.round(height)} px high`)
      }
    }
    return problems
  })
}

/** A status that is a shape and a colour alone: without a word beside it, nobody who cannot see it knows of it. */
export function findWordlessShapes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const near = 4
    const problems = new Set<string>()
    for (const shape of document.querySelectorAll('svg[data-shape]')) {
      if (!shape.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      let at: Element | null = shape.parentElement
      let hasWord = false
      for (let level = 0; at && level < near && !hasWord; level += 1, at = at.parentElement) {
        hasWord =
          (at.textContent ?? '').trim() !== '' ||
          Boolean(at.getAttribute('aria-label')) ||
          Boolean(at.getAttribute('title'))
      }
      if (!hasWord)
        problems.add(
          `wordless: the shape "${shape.getAttribute('data-shape') ?? ''}" in ${(shape.parentElement?.outerHTML ?? '').slice(0, 120)}`
        )
    }
    return [...problems]
  })
}

/**
 * Text whose contrast against what lies behind it is under 4.5 to 1 (3 to 1 for large text), as WCAG computes it; with
 * `isEnhanced`, as for the sun, under 7 to 1 (4.5 to 1).
 */
export function findFaintText(page: Page, isEnhanced = false): Promise<string[]> {
  return page.evaluate((isEnhanced) => {
    type Color = [red: number, green: number, blue: number, alpha: number]
    const read = (text: string): Color => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/-?[\d.]+/g) ?? []).map(Number)
      return text.startsWith('color(') ? [red * 255, green * 255, blue * 255, alpha] : [red, green, blue, alpha]
    }
    const mix = (over: Color, under: Color): Color => {
      const part = (a: number, b: number): number => a * over[3] + b * (1 - over[3])
      return [part(over[0], under[0]), part(over[1], under[1]), part(over[2], under[2]), 1]
    }
    const brightness = (color: Color): number => {
      const [red = 0, green = 0, blue = 0] = color
        .slice(0, 3)
        .map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = (element: Element): Color => {
      const layers: Color[] = []
      for (let at: Element | null = element; at; at = at.parentElement) {
        const layer = read(getComputedStyle(at).backgroundColor)
        layers.push(layer)
        if (layer[3] >= 1) break
      }
      return layers.reduceRight<Color>((under, over) => mix(over, under), [255, 255, 255, 1])
    }
    const problems = new Set<string>()
    for (const element of document.querySelectorAll('body *')) {
      const text = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent ?? '')
        .join('')
        .trim()
      if (
        text === '' ||
        !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
        element.closest('.hidden, :disabled, svg')
      )
        continue
      const style = getComputedStyle(element)
      const back = behind(element)
      const [light, dark] = [brightness(mix(read(style.color), back)), brightness(back)].sort((a, b) => b - a) as [
        number,
        number
      ]
      const contrast = (light + 0.05) / (dark + 0.05)
      const sizePx = parseFloat(style.fontSize)
      const isLarge = sizePx >= 24 || (sizePx >= 18.66 && Number(style.fontWeight) >= 700)
      const wanted = isEnhanced ? (isLarge ? 4.5 : 7) : isLarge ? 3 : 4.5
      if (contrast < wanted) problems.add(`faint: "${text.slice(0, 60)}" has ${contrast.toFixed(2)} to 1`)
    }
    return [...problems]
  }, isEnhanced)
}
