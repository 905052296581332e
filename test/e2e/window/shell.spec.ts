import { expect, test } from '../support/fitter.ts'

/**
 * The rules of docs/security.md in the desktop window itself: what test/app/integration/boot-electron.test.ts asks of
 * the stand-in, seen from the page. Runs only where Electron's program is.
 */

const elsewhere = 'https://attacker.example/'

test('the page has no Node, one frozen bridge, and gets nothing but its own origin @daily', async ({ openFitter }) => {
  const { page } = await openFitter()
  const seen = await page.evaluate(async (address) => {
    const ask = (url: string): Promise<string> =>
      fetch(url).then(
        () => 'answered',
        () => 'refused'
      )
    return {
      node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter((name) => name in globalThis),
      names: Object.keys(window.fitter ?? {}).sort(),
      isFrozen: Object.isFrozen(window.fitter),
      asked: [
        await ask(address),
        await ask('file:///etc/passwd'),
        await ask('app://other/'),
        await ask('http://127.0.0.1:9/')
      ],
      notFound: (await fetch('/../package.json')).status,
      policy: (await fetch('/')).headers.get('content-security-policy')?.split(';')[0],
      second: window.open(address) === null && window.open('/') === null
    }
  }, elsewhere)
  expect(seen).toEqual({
    node: [],
    names: ['call', 'lastHeardMs', 'subscribe'],
    isFrozen: true,
    asked: ['refused', 'refused', 'refused', 'refused'],
    notFound: 404,
    policy: "default-src 'none'",
    second: true
  })
})

test('the page is refused permissions, and never leaves its origin @daily', async ({ openFitter }) => {
  const { page } = await openFitter()
  const states = await page.evaluate(() =>
    Promise.all(
      (['geolocation', 'notifications', 'microphone'] as PermissionName[]).map(
        async (name) => (await navigator.permissions.query({ name })).state
      )
    )
  )
  expect(states).toEqual(['denied', 'denied', 'denied'])
  await page.evaluate((address) => location.assign(address), elsewhere)
  await page.evaluate(() => location.assign('file:///etc/passwd'))
  expect(await page.evaluate(() => window.fitter?.call('app.info', {}))).toMatchObject({ ok: true })
  expect(page.url()).toMatch(/^app:\/\/fitter\//)
})

test('a script, a style and a frame from outside are refused @daily', async ({ openFitter }) => {
  const { page } = await openFitter()
  const refused = await page.evaluate(
    (address) =>
      new Promise<string[]>((resolve) => {
        const directives: string[] = []
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
          directives.push(effectiveDirective)
          if (directives.length === 3) resolve(directives.sort())
        })
        document.head.append(
          Object.assign(document.createElement('script'), { textContent: 'globalThis.broken = 1' }),
          Object.assign(document.createElement('style'), { textContent: 'body { color: red }' })
        )
        document.body.append(Object.assign(document.createElement('iframe'), { src: address }))
      }),
    elsewhere
  )
  expect(refused).toEqual(['frame-src', 'script-src-elem', 'style-src-elem'])
  expect(await page.evaluate(() => 'broken' in globalThis)).toBe(false)
})
