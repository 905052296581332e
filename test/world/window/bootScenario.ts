import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { raw } from './electron/electronUses.ts'
import type { TestHost } from '../gateway/testHost.ts'

/** Runs a built main bundle on the stand-in for Electron, tries everything on it, and prints what happened as JSON. */

const standIn = new URL('./electron/electronStandIn.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context)
})
const {
  app: watchedApp,
  journal,
  listUses,
  powerMonitor: watchedMonitor,
  state,
  watchedContents
} = await import('./electron/electronStandIn.ts')

await import(pathToFileURL(process.argv[2] ?? '').href)

/** What the test itself does is no use of Electron. */
const [app, powerMonitor] = [raw(watchedApp), raw(watchedMonitor)]
const testHost = (globalThis as { testHost?: TestHost }).testHost
const window = state.windows[0] && raw(state.windows[0])
const contents = window && raw(window.webContents)

async function reply(url: string, method = 'GET'): Promise<unknown> {
  const handler = state.protocolHandlers.get(new URL(url).protocol.slice(0, -1))
  if (handler === undefined) return 'no handler'
  // Not a real Request: that would tidy the address up before the handler sees it.
  const response = await handler({ url, method, headers: new Headers({ Range: 'bytes=0-9' }) } as Request)
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

/** What a call from this sender comes to: whether the core saw it. */
async function callFrom(sender: unknown, senderFrame: unknown): Promise<string> {
  const handler = state.ipcHandlers.get('fitter:call')
  if (handler === undefined || testHost === undefined) return 'no handler'
  const before = testHost.calls.length
  const result = (await handler({ sender, senderFrame }, 'app.info', {})) as { ok: boolean }
  return `${result.ok ? 'answered' : 'refused'}, ${testHost.calls.length > before ? 'core saw it' : 'core untouched'}`
}

function isPrevented(event: string, url: string): boolean {
  let prevented = false
  contents?.emit(event, { url, preventDefault: () => (prevented = true) }, url)
  return prevented
}

function isCancelled(url: string): boolean | undefined {
  let cancelled: boolean | undefined
  state.requestFilter?.({ url }, (result) => (cancelled = result.cancel === true))
  return cancelled
}

/** The requester and the permission: by default our own main frame and pictures only. */
interface Asker {
  url?: string
  isMainFrame?: boolean
  media?: ('video' | 'audio')[]
}

function isGranted(
  permission: string,
  { url = 'app://fitter/', isMainFrame = true, media }: Asker = {}
): { asked: boolean | undefined; checked: boolean | undefined } {
  let asked: boolean | undefined
  const frame = { isMainFrame, requestingUrl: url, securityOrigin: url }
  state.permissionRequest?.(window?.webContents, permission, (answer) => (asked = answer), {
    ...frame,
    ...(media ? { mediaTypes: media } : {})
  })
  // A check names one kind at a time; that of several is granted only if each is.
  const kinds = media?.length ? media : ['unknown']
  const checked = kinds.every((mediaType) =>
    state.permissionCheck?.(window?.webContents, permission, url, { ...frame, mediaType })
  )
  return { asked, checked }
}

const foreignAddresses = [
  'https://fitter/',
  'http://attacker.example/',
  'app://fitter.attacker.example/',
  'app://other/',
  'app://user@fitter/',
  'app://fitter:81/',
  'file:///etc/passwd',
  'about:blank',
  'about:srcdoc',
  'javascript:alert(1)',
  'data:text/html,x',
  ''
]

async function tryEverything() {
  if (window === undefined || testHost === undefined) return undefined
  const { webContents } = window
  const frame = raw(webContents).mainFrame
  const shown = raw(frame)
  const senders: Record<string, string> = {
    own: await callFrom(webContents, frame),
    missing: await callFrom(webContents, null),
    subFrame: await callFrom(webContents, { url: 'app://fitter/' }),
    otherWindow: await callFrom(watchedContents(), frame)
  }
  const home = shown.url
  const foreignSenders: Record<string, string> = {}
  for (const url of foreignAddresses) {
    shown.url = url
    foreignSenders[url] = await callFrom(webContents, frame)
  }
  testHost.emit('app.notices', { notices: [] })
  const sentToForeignPage = raw(webContents).sent.length
  shown.url = home
  testHost.emit('app.notices', { notices: [] })
  const sentToOwnPage = raw(webContents).sent.length - sentToForeignPage

  const navigations: Record<string, Record<string, boolean>> = {}
  for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate', 'will-attach-webview']) {
    navigations[event] = Object.fromEntries(
      [...foreignAddresses, 'app://fitter/', 'app://fitter/index.html'].map((url) => [url, isPrevented(event, url)])
    )
  }
  const tray = await tryTray(testHost)
  window.acts.length = 0
  app.emit('second-instance')
  powerMonitor.emit('resume')
  const resumed = testHost.counts.resumed

  return {
    senders,
    foreignSenders,
    sentToForeignPage,
    sentToOwnPage,
    navigations,
    windowOpen: ['https://attacker.example/', 'app://fitter/'].map(
      (url) => raw(webContents).windowOpenHandler?.({ url }).action
    ),
    requests: Object.fromEntries(
      [
        'app://fitter/app.js',
        'blob:app://fitter/1',
        'https://attacker.example/',
        'http://127.0.0.1:9/',
        'file:///etc/passwd',
        'ws://127.0.0.1:9/',
        'app://other/',
        'blob:https://attacker.example/1'
      ].map((url) => [url, isCancelled(url)])
    ),
    permissions: Object.fromEntries(
      [
        'clipboard-sanitized-write',
        'screen-wake-lock',
        'clipboard-read',
        'media',
        'display-capture',
        'geolocation',
        'notifications',
        'openExternal',
        'usb',
        'hid',
        'fullscreen'
      ].map((name) => [name, isGranted(name)])
    ),
    cameras: {
      'own page': isGranted('media', { media: ['video'] }),
      'own page, with sound': isGranted('media', { media: ['video', 'audio'] }),
      'own page, sound alone': isGranted('media', { media: ['audio'] }),
      'own page, nothing named': isGranted('media', { media: [] }),
      'sub-frame': isGranted('media', { media: ['video'], isMainFrame: false }),
      ...Object.fromEntries(foreignAddresses.map((url) => [url, isGranted('media', { media: ['video'], url })])),
      // What else could be asked for under cover of a picture.
      screen: isGranted('display-capture', { media: ['video'] })
    },
    clipboards: {
      'own page': isGranted('clipboard-sanitized-write'),
      'sub-frame': isGranted('clipboard-sanitized-write', { isMainFrame: false }),
      ...Object.fromEntries(foreignAddresses.map((url) => [url, isGranted('clipboard-sanitized-write', { url })]))
    },
    device: state.devicePermission?.(),
    replies: {
      '/': await reply('app://fitter/'),
      '/app.js': await reply('app://fitter/app.js'),
      '/nothing': await reply('app://fitter/nothing'),
      '/../secret.txt': await reply('app://fitter/../secret.txt'),
      '/..%2fsecret.txt': await reply('app://fitter/..%2fsecret.txt'),
      '/map/offline.pmtiles': await reply('app://fitter/map/offline.pmtiles'),
      'map of another host': await reply('app://other/map/offline.pmtiles'),
      'POST /': await reply('app://fitter/', 'POST'),
      'other host': await reply('app://other/'),
      file: await reply('file:///etc/passwd')
    },
    windowOptions: window.options,
    windowActs: window.acts,
    tray,
    resumed
  }
}

/** What the tray tells of work that waits, and what its lines do. */
async function tryTray(host: TestHost) {
  const tray = state.trays[0] && raw(state.trays[0])
  if (!tray || !window) return undefined
  const counts = { done: 1, waiting: 5, needsAttention: 1, failed: 1 }
  const operation = {
    id: '1',
    sequence: 1,
    kind: 'x',
    key: 'x',
    state: 'pending',
    attempts: 0,
    createdAt: '',
    updatedAt: '',
    reason: { id: 'x.y', values: {} },
    jobId: null,
    title: { id: 'x.y', values: {} },
    evidenceCount: 0,
    choices: []
  }
  const line = (n: number) => tray.menu[n]
  const lines = () =>
    tray.menu.map(({ label = '-', checked }) => (checked === undefined ? label : `${label}: ${checked}`))
  const shown = async (isSo: () => boolean): Promise<void> => {
    const untilMs = performance.now() + 3_000
    while (!isSo() && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const atFirst = lines()
  host.emit('operations.changed', { operation, counts })
  host.emit('operations.paused', { paused: { at: '2026-03-01T10:00:00.000Z', by: '' } })
  await shown(() => state.badges.at(-1) === 2)
  const counted = { lines: lines(), toolTip: tray.toolTip, badge: state.badges.at(-1) }
  line(0)?.click?.()
  const brought = [...window.acts]
  line(5)?.click?.()
  return { atFirst, counted, brought, call: host.calls.at(-1) }
}

/** Quitting, and quitting again, while an output is on: what happens before, between and after. */
async function quitWithOutputOn() {
  if (testHost === undefined) return undefined
  const { counts, outputs } = testHost
  const left = { sentence: 'OUT1 may still be on.', quit: 'Quit anyway', stay: 'Stay' }
  const settled = async (isSo: () => boolean): Promise<void> => {
    const untilMs = performance.now() + 5_000
    while (!isSo() && performance.now() < untilMs) await new Promise((resolve) => setImmediate(resolve))
  }
  /** By now everything automatic has happened. */
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  const seen = () => ({
    asked: counts.outputsOff,
    stopped: counts.stopped,
    exits: state.exitCodes.length,
    boxes: state.messageBoxes.length
  })
  const proof = Promise.withResolvers<void>()
  outputs.wait = proof.promise
  outputs.left.push(left)
  app.quit()
  app.quit()
  await settled(() => counts.outputsOff > 0)
  await turns()
  const whileProving = seen()
  proof.resolve()
  await settled(() => state.messageBoxes.length > 0)
  await turns()
  const stayed = seen()
  powerMonitor.emit('suspend')
  window?.emit('session-end')
  const asleep = seen()
  let isHeldBack = false
  outputs.left.push(null, null, left)
  state.presses.push(1)
  powerMonitor.emit('shutdown', { preventDefault: () => (isHeldBack = true) })
  await settled(() => state.messageBoxes.length > 1)
  return { whileProving, stayed, asleep, isHeldBack, boxes: state.messageBoxes }
}

/** Nobody is there to be asked. */
function endBySignal(signal: NodeJS.Signals): undefined {
  testHost?.outputs.left.push({ sentence: 'OUT1 may still be on.', quit: 'Quit anyway', stay: 'Stay' })
  process.kill(process.pid, signal)
}

function readKeptBounds(): unknown {
  const path = `${process.env.FITTER_TEST_APP}/userData/window.json`
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

const seen = await tryEverything()
for (let crash = 0; crash < Number(process.env.FITTER_TEST_CRASHES ?? 0); crash += 1)
  contents?.emit('render-process-gone', {}, { reason: 'crashed' })
const answer = await state.ipcHandlers.get('fitter:call')?.(
  { sender: window?.webContents, senderFrame: contents?.mainFrame },
  'app.info',
  {}
)
window?.emit('ready-to-show')
window?.emit('close')
const signal = process.env.FITTER_TEST_SIGNAL as NodeJS.Signals | undefined
const quitting = signal === undefined ? await quitWithOutputOn() : endBySignal(signal)
if (quitting === undefined && signal === undefined) app.emit('window-all-closed')
const limitMs = performance.now() + 5_000
while (state.exitCodes.length === 0 && performance.now() < limitMs) {
  await new Promise((resolve) => setTimeout(resolve, 10))
}
await new Promise((resolve) => setImmediate(resolve))

process.stdout.write(
  JSON.stringify({
    journal,
    schemes: state.schemes,
    channels: [...state.ipcHandlers.keys()],
    answer,
    keptBounds: readKeptBounds(),
    shown: window?.acts.filter((act) => act === 'maximize' || act === 'show'),
    windowCount: state.windows.length,
    exitCodes: state.exitCodes,
    errorBoxes: state.errorBoxes,
    messageBoxes: state.messageBoxes.length,
    stopped: testHost?.counts.stopped ?? 0,
    installed: testHost?.counts.installed ?? 0,
    quitting,
    uses: listUses(),
    seen
  }),
  // The stand-in's `exit` only takes note, so timers of the shell may still run.
  () => process.exit(0)
)
