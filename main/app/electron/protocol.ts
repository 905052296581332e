import type { Protocol, Session } from 'electron'
import { securityHeaders } from '../../base/page/contentSecurityPolicy.ts'
import type { Host } from '../frontEnd.ts'
import { listPage, type PageFile } from '../../base/page/manifest.ts'
import { isOwnAddress, scheme } from './origin.ts'

/** Before `ready`: gives app:// a real origin (CSP, storage, fetch), and no other privilege. */
export function registerScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
  ])
}

function refuse(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' } })
}

export function refuseFile(): Response {
  return refuse(403, 'Files are not served')
}

/**
 * Answers from the built page and pieces of the chosen map, and nothing else: a look-up, so no request becomes a path.
 */
export async function answerPage(
  request: Pick<Request, 'url' | 'method' | 'headers'>,
  manifest: ReadonlyMap<string, PageFile>,
  host: Pick<Host, 'answerMap'>
): Promise<Response> {
  if (!isOwnAddress(request.url)) return refuse(404, 'Not found')
  if (request.method !== 'GET') return refuse(405, 'Only GET')
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/map/')) {
    const { status, headers, body } = await host.answerMap(pathname, request.headers.get('range') ?? undefined)
    return new Response(body, { status, headers: { ...headers, ...securityHeaders } })
  }
  const file = manifest.get(pathname)
  if (file === undefined) return refuse(404, 'Not found')
  return new Response(await file.read(), { headers: { ...securityHeaders, 'Content-Type': file.mediaType } })
}

/** Serves the page to this session, before the window asks for it. */
export function servePage(session: Pick<Session, 'protocol'>, pageFolder: string, host: Pick<Host, 'answerMap'>): void {
  const manifest = listPage(pageFolder)
  session.protocol.handle(scheme, (request) => answerPage(request, manifest, host))
  session.protocol.handle('file', refuseFile)
}

/** The page talks only to main: a request to another scheme is not allowed (except developer tools). */
export function isAllowedRequest(address: string): boolean {
  return (
    isOwnAddress(address) ||
    address.startsWith('devtools://') ||
    // Pictures that the page itself created; they have no network address.
    address.startsWith('data:') ||
    address.startsWith(`blob:${scheme}://`)
  )
}

export function refuseOtherRequests(session: Pick<Session, 'webRequest'>): void {
  session.webRequest.onBeforeRequest({ urls: ['<all_urls>'] }, (details, answer) =>
    answer({ cancel: !isAllowedRequest(details.url) })
  )
}
