import type { Page } from '@playwright/test'

/**
 * What a screen reader is given to read while nobody presses anything: each text of each live region, with its digits
 * as 0.
 */
export async function listenToRegions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const said = new Map<string, number>()
    const last = new Map<Element, string>()
    const isLive = '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"], [role="log"]'

    /** Without what is hidden from a screen reader, or is part of it but must not be told. */
    const textOf = (node: Node): string => {
      if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
      if (!(node instanceof Element) || node.matches('[aria-hidden="true"], [aria-live="off"]')) return ''
      return [...node.childNodes].map(textOf).join('')
    }
    const look = (): void => {
      for (const region of document.querySelectorAll(isLive)) {
        if (region.matches('[aria-live="off"]') || region.closest('[inert]')) continue
        const text = textOf(region).replace(/\s+/g, ' ').trim()
        if (text === (last.get(region) ?? '')) continue
        last.set(region, text)
        const masked = text.replace(/\d+/g, '0')
        if (masked !== '') said.set(masked, (said.get(masked) ?? 0) + 1)
      }
    }
    look()
    said.clear()
    const observer = new MutationObserver(look)
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ['aria-live', 'aria-hidden', 'role']
    })
    Object.assign(window, { heardRegions: () => Object.fromEntries(said), stopHearing: () => observer.disconnect() })
  })
}

/** What was told more than twice although only its numbers changed, since `listenToRegions`. */
export async function findTicking(page: Page): Promise<string[]> {
  const heard = await page.evaluate(() => {
    const regions = window as never as { heardRegions: () => Record<string, number>; stopHearing: () => void }
    regions.stopHearing()
    return regions.heardRegions()
  })
  return Object.entries(heard)
    .filter(([, times]) => times > 2)
    .map(([text, times]) => `told ${times} times: ${text.slice(0, 160)}`)
}
