import type { CDPSession, Page } from '@playwright/test'

/** Where the focus is, as a screen reader knows it and as a person sees it. */
interface Stop {
  role: string
  name: string
  isSeen: boolean
}

/**
 * The keyboard alone, with everything that went wrong on the way: a stop without a name, a focus that nobody sees, or
 * none at all.
 */
export interface Hands {
  problems: readonly string[]
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  /** Tab, or the arrow keys, until a control of this name has the focus. */
  moveTo(name: RegExp, key?: string): Promise<void>
  /** Walks through all stops of the screen once, and returns their names. */
  walk(): Promise<string[]>
}

const mostStops = 120

async function readStop(page: Page, cdp: CDPSession): Promise<Stop | null> {
  const { result } = await cdp.send('Runtime.evaluate', { expression: 'document.activeElement' })
  if (result.objectId === undefined || result.description?.startsWith('body')) return null
  const { nodes } = await cdp.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId,
    fetchRelatives: false
  })
  const isSeen = await page.evaluate(() => {
    const at = document.activeElement
    if (!at) return false
    const box = at.getBoundingClientRect()
    const isMarked = (element: Element | null): boolean => {
      if (!element) return false
      const style = getComputedStyle(element)
      return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none'
    }
    // A field in a frame, or a hidden one in its button, shows it around itself.
    const isOnScreen = box.bottom > 0 && box.right > 0 && box.top < window.innerHeight && box.left < window.innerWidth
    return (
      isOnScreen &&
      (isMarked(at) ||
        isMarked(at.parentElement) ||
        isMarked(at.parentElement?.parentElement ?? null) ||
        isMarked(at.nextElementSibling))
    )
  })
  const [node] = nodes
  return { role: String(node?.role?.value ?? ''), name: String(node?.name?.value ?? '').trim(), isSeen }
}

/** Hands that have no mouse. */
export async function useHands(page: Page): Promise<Hands> {
  const cdp = await page.context().newCDPSession(page)
  const problems = new Set<string>()

  async function place(): Promise<string> {
    return page.evaluate(() => window.location.hash.replaceAll(/[0-9A-Z]{10,}/g, '…'))
  }

  async function stop(): Promise<Stop | null> {
    const now = await readStop(page, cdp)
    if (now === null) return null
    const where = await place()
    const what = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 140) ?? '')
    if (now.name === '' && now.role !== 'RootWebArea' && now.role !== 'main')
      problems.add(`${where}: a stop without a name (${now.role}): ${what}`)
    if (!now.isSeen && now.role !== 'RootWebArea')
      problems.add(`${where}: nobody sees that “${now.name}” has the focus: ${what}`)
    return now
  }

  async function moveTo(name: RegExp, key = 'Tab'): Promise<void> {
    const seen: string[] = []
    const first = await readStop(page, cdp)
    if (first && name.test(first.name)) return
    for (let n = 0; n < mostStops; n += 1) {
      await page.keyboard.press(key)
      const now = await stop()
      if (now && name.test(now.name)) return
      seen.push(now?.name ?? '(nothing)')
    }
    throw new Error(`${mostStops} stops and none is ${String(name)}: ${seen.slice(0, 60).join(' | ')}`)
  }

  async function walk(): Promise<string[]> {
    const names: string[] = []
    const isMarked = () => page.evaluate(() => document.activeElement?.hasAttribute('data-walked') ?? false)
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('[data-walked]')) one.removeAttribute('data-walked')
      // Tab begins at the first stop of the page again.
      document.body.tabIndex = -1
      document.body.focus()
      document.body.removeAttribute('tabindex')
    })
    for (let n = 0; n < 3 * mostStops; n += 1) {
      await page.keyboard.press('Tab')
      const now = await stop()
      if (now === null || (await isMarked())) break
      await page.evaluate(() => document.activeElement?.setAttribute('data-walked', ''))
      names.push(now.name)
    }
    return names
  }

  return {
    get problems() {
      return [...problems]
    },
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    moveTo,
    walk
  }
}

/** Everything that the announcer of a job tells from now on, in order. */
export async function hearJob(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heardJob: heard })
    new MutationObserver(() => {
      const text = document.querySelector('[data-announcer]')?.textContent?.trim() ?? ''
      if (text !== '' && text !== heard.at(-1)) heard.push(text)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (window as never as { heardJob: string[] }).heardJob)
}
