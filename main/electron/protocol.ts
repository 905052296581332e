import { protocol, type Session } from 'electron'
import { securityHeaders } from '../page/contentSecurityPolicy.ts'
import type { Host } from '../app/frontEnd.ts'
import { listPage } from '../page/manifest.ts'
import { isOwnAddress, scheme } from './origin.ts'

/** Before `ready`: gives app:// a real origin (CSP, storage, fetch), and no other privilege. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
  ])
}

function refuse(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' } })
}

/** Serves only the built page and pieces of the chosen map to this session. */
export function servePage(session: Session, pageFolder: string, host: Pick<Host, 'answerMap'>): void {
  const manifest = listPage(pageFolder)
  session.protocol.handle(scheme, async (request) => {
    if (!isOwnAddress(request.url)) return refuse(404, 'Not found')
    if (request.method !== 'GET') return refuse(405, 'Only GET')
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/map/')) {
      const { status, headers, body } = await host.answerMap(pathname, request.headers.get('range') ?? undefined)
      return new Response(body, { status, headers: { ...securityHeaders, ...headers } })
    }
    const file = manifest.get(pathname)
    if (file === undefined) return refuse(404, 'Not found')
    return new Response(await file.read(), { headers: { ...securityHeaders, 'Content-Type': file.mediaType } })
  })
  session.protocol.handle('file', () => refuse(403, 'Files are not served'))
}

/** The page talks only to main: every request to another scheme is cancelled (except developer tools). */
export function refuseOtherRequests(session: Session): void {
  session.webRequest.onBeforeRequest({ urls: ['<all_urls>'] }, (details, answer) => {
    const isAllowed =
      isOwnAddress(details.url) ||
      details.url.startsWith('devtools://') ||
      // Pictures that the page itself created; they have no network address.
      details.url.startsWith('data:') ||
      details.url.startsWith(`blob:${scheme}://`)
    answer({ cancel: !isAllowed })
  })
}
