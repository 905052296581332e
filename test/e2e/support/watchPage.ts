import type { Page } from '@playwright/test'

/** The address that is printed leads on to a random name of this computer, on the same port. */
function isOwn(url: URL, origin: string): boolean {
  const { port } = new URL(origin)
  return url.origin === origin || (url.port === port && /^[0-9a-f]{32}\.localhost$/.test(url.hostname))
}

/** Writes down everything that a page of ours must never do. */
export async function watchPage(page: Page, origin: string, misbehaviour: string[]): Promise<void> {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') misbehaviour.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => misbehaviour.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    // Downloads of reports are made in the page itself.
    if (!isOwn(url, origin) && url.protocol !== 'blob:' && url.protocol !== 'data:')
      misbehaviour.push(`request: ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (!isOwn(new URL(socket.url()), origin)) misbehaviour.push(`socket: ${socket.url()}`)
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`Content security policy: ${violatedDirective} ${blockedURI}`)
    })
  })
}
