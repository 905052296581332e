import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { securityHeaders } from '../../base/page/contentSecurityPolicy.ts'
import type { Host } from '../frontEnd.ts'
import type { PageFile } from '../../base/page/manifest.ts'
import type { Access } from './access.ts'

const bridgeScript = readFileSync(new URL('./bridge.js', import.meta.url))
const bridgeAddress = '/bridge.js'

const howToGetIn =
  'This address needs the key that Fitter prints when it starts. Use the whole address, once, within five minutes; ' +
  'press Enter in the window where Fitter runs to get a new one.'

const goOn = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>Fitter</title>\n'

interface Reply {
  status: number
  mediaType: string
  body: string | Uint8Array
  headers?: Record<string, string>
}

function say(status: number, text: string): Reply {
  return { status, mediaType: 'text/plain; charset=utf-8', body: `${text}\n` }
}

/** The bridge must exist before the page's own script (a module, so deferred) uses it. */
function addBridge(page: Uint8Array): string {
  const html = Buffer.from(page).toString('utf8')
  const tag = `<script src="${bridgeAddress}"></script>`
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => head + tag) : tag + html
}

export interface Origins {
  /** The printed address, such as `http://127.0.0.1:4711`: it only redirects. */
  entry: string
  /** The origin of page and cookie. Its name is random: every port of 127.0.0.1 would get a cookie of that address. */
  page: string
}

/** Answers the page's requests from the manifest: no other file can be requested. */
export function answerPages(
  manifest: ReadonlyMap<string, PageFile>,
  { entry, page: origin }: Origins,
  parts: { access: Access; host: Pick<Host, 'answerMap'> }
) {
  const { access, host } = parts
  async function findReply(request: IncomingMessage): Promise<Reply> {
    const asked = `http://${request.headers.host}`
    if (asked === entry) return lead(request)
    // A foreign name that resolves to 127.0.0.1 (DNS rebinding) is still in the Host header.
    if (asked !== origin) return say(421, `This is ${entry} only.`)
    if (request.headers.origin !== undefined && request.headers.origin !== origin) {
      return say(403, 'Another page may not ask for this.')
    }
    if (request.method !== 'GET') return say(405, 'Only GET.')
    const url = URL.parse(request.url ?? '', origin)
    if (url === null || url.origin !== origin) return say(400, 'This is not an address of this host.')

    const key = url.pathname === '/' ? url.searchParams.get('key') : null
    if (key !== null) {
      const cookie = access.exchange(key)
      // Someone who is signed in and reloads the printed address need not be rejected.
      if (cookie === undefined && !access.hasSession(request)) return say(401, howToGetIn)
      const headers: Record<string, string> = cookie === undefined ? {} : { 'Set-Cookie': cookie }
      // A browser that came from another site sends no strict cookie along a redirect: a page of ours has to navigate.
      const site = request.headers['sec-fetch-site'] ?? 'none'
      if (site !== 'none' && site !== 'same-origin')
        return { status: 200, mediaType: 'text/html; charset=utf-8', body: goOn, headers }
      return { ...say(303, 'Welcome.'), headers: { Location: '/', ...headers } }
    }
    if (!access.hasSession(request)) return say(401, howToGetIn)

    if (url.pathname === bridgeAddress) {
      return { status: 200, mediaType: 'text/javascript; charset=utf-8', body: bridgeScript }
    }
    if (url.pathname.startsWith('/map/')) {
      const { status, headers, body } = await host.answerMap(url.pathname, request.headers.range)
      return { status, mediaType: headers['Content-Type'] ?? '', body, headers }
    }
    const file = manifest.get(url.pathname)
    if (file === undefined) return say(404, 'Not found.')
    const content = await file.read()
    const isPage = file.mediaType.startsWith('text/html')
    return { status: 200, mediaType: file.mediaType, body: isPage ? addBridge(content) : content }
  }

  /** The printed address: its key leads, with another key, to the page. No cookie is ever set or read here. */
  function lead(request: IncomingMessage): Reply {
    if (request.method !== 'GET') return say(405, 'Only GET.')
    const url = URL.parse(request.url ?? '', entry)
    const key =
      url?.origin === entry && url.pathname === '/'
        ? access.exchangeForKey(url.searchParams.get('key') ?? '')
        : undefined
    if (key === undefined) return say(401, howToGetIn)
    return { ...say(303, 'Welcome.'), headers: { Location: `${origin}/?key=${key}` } }
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    const send = (reply: Reply): void => {
      response.writeHead(reply.status, {
        'Cache-Control': 'no-store',
        'Content-Type': reply.mediaType,
        'Content-Length': Buffer.byteLength(reply.body),
        ...reply.headers,
        ...securityHeaders
      })
      response.end(reply.body)
    }
    // Reading a listed file fails only if the build was removed in the meantime; the browser gets an error, and the
    // host continues.
    void findReply(request).then(send, () => send(say(500, 'The page can not be read: build it again.')))
  }
}
