import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerPage, isAllowedRequest, refuseFile, registerScheme } from '../../../../main/app/electron/protocol.ts'
import { securityHeaders } from '../../../../main/base/page/contentSecurityPolicy.ts'
import { listPage } from '../../../../main/base/page/manifest.ts'
import { makePageFolder } from '../../../world/window/pageFolder.ts'

let page: ReturnType<typeof makePageFolder>
let manifest: ReturnType<typeof listPage>
beforeAll(() => {
  page = makePageFolder()
  manifest = listPage(page.folder)
})
afterAll(() => page.remove())

/** The map answers with headers that would weaken the policy, were they sent. */
const host = {
  answerMap: async (path: string) => ({
    status: 200,
    headers: { 'Content-Type': 'image/png', 'Content-Security-Policy': 'default-src *' },
    body: new TextEncoder().encode(path)
  })
}

/** Not a real Request: that would tidy the address up before the handler sees it. */
const ask = (url: string, method = 'GET') => answerPage({ url, method, headers: new Headers() }, manifest, host)

it('serves the files of the built page, with their media types', async () => {
  const reply = await ask('app://fitter/')
  expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
    200,
    'text/html; charset=utf-8',
    expect.stringContaining('<title>Fitter</title>')
  ])
  expect((await ask('app://fitter/app.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
})

it.each([
  'app://fitter/../secret.txt',
  'app://fitter/..%2fsecret.txt',
  'app://fitter/%2e%2e/secret.txt',
  'app://fitter//secret.txt',
  'app://fitter/notes.exe',
  'app://fitter/assets',
  'app://fitter/nothing',
  'app://other/',
  'app://fitter.attacker.example/',
  'app://user@fitter/',
  'https://fitter/',
  'file:///etc/passwd'
])('serves nothing at %s', async (url) => {
  const reply = await ask(url)
  expect(reply.status).toBe(404)
  expect(await reply.text()).toBe('Not found')
})

it('looks the address up in the manifest and never on the disk', async () => {
  const reply = await answerPage(
    { url: 'app://fitter/app.js', method: 'GET', headers: new Headers() },
    new Map([
      ['/app.js', { mediaType: 'text/plain', read: async () => new TextEncoder().encode('from the manifest') }]
    ]),
    host
  )
  expect(await reply.text()).toBe('from the manifest')
  expect(
    (await answerPage({ url: 'app://fitter/app.js', method: 'GET', headers: new Headers() }, new Map(), host)).status
  ).toBe(404)
})

it('answers GET only', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])
    expect([method, (await ask('app://fitter/', method)).status]).toEqual([method, 405])
})

it('refuses files with 403', async () => {
  expect(refuseFile().status).toBe(403)
})

it('puts every security header on every reply, also on refusals and on pieces of the map', async () => {
  const replies = {
    page: await ask('app://fitter/'),
    map: await ask('app://fitter/map/offline.pmtiles'),
    'not found': await ask('app://fitter/nothing'),
    'other host': await ask('app://other/'),
    POST: await ask('app://fitter/', 'POST'),
    file: refuseFile()
  }
  for (const [name, reply] of Object.entries(replies)) {
    for (const [header, value] of Object.entries(securityHeaders))
      expect([name, header, reply.headers.get(header)]).toEqual([name, header, value])
  }
})

it('allows requests to our own origin and to pictures of the page only', () => {
  const allowed = [
    'app://fitter/app.js',
    'blob:app://fitter/1',
    'data:image/png;base64,AA==',
    'devtools://devtools/bundled/inspector.html'
  ]
  const refused = [
    'https://attacker.example/',
    'http://127.0.0.1:9/',
    'ws://127.0.0.1:9/',
    'file:///etc/passwd',
    'app://other/',
    'blob:https://attacker.example/1',
    'ftp://127.0.0.1/',
    'chrome://settings/',
    'app://fitter:81/',
    'about:blank',
    ''
  ]
  expect(allowed.filter((address) => !isAllowedRequest(address))).toEqual([])
  expect(refused.filter(isAllowedRequest)).toEqual([])
})

it('registers app:// with four privileges and no more', () => {
  const registered: unknown[] = []
  registerScheme({ registerSchemesAsPrivileged: (schemes) => void registered.push(...schemes) })
  expect(registered).toEqual([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
  ])
})
