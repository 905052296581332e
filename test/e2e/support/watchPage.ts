import type { Page } from '@playwright/test'

/** Writes down everything that a page of ours must never do. */
export async function watchPage(page: Page, origin: string, misbehaviour: string[]): Promise<void> {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') misbehaviour.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => misbehaviour.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    // Downloads of reports are made in the page itself.
    if (url.origin !== origin && url.protocol !== 'blob:' && url.protocol !== 'data:') misbehaviour.push(`request: ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== new URL(origin).host) misbehaviour.push(`socket: ${socket.url()}`)
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`Content security policy: ${violatedDirective} ${blockedURI}`)
    })
  })
}
