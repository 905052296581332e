import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'
import { beforeEach, expect, it } from 'vitest'
import { answerCall, findReceiver } from '../../../../main/app/electron/ipc.ts'
import { makeTestHost, type TestHost } from '../../../world/gateway/testHost.ts'

type Window = Pick<BrowserWindow, 'isDestroyed' | 'webContents'>

let host: TestHost
let mainFrame: { url: string }
let window: Window
let isDestroyed: boolean
beforeEach(() => {
  host = makeTestHost()
  mainFrame = { url: 'app://fitter/' }
  isDestroyed = false
  window = { isDestroyed: () => isDestroyed, webContents: { mainFrame } as BrowserWindow['webContents'] }
})

const callFrom = (sender: unknown, senderFrame: unknown) =>
  answerCall(host, window, { sender, senderFrame } as IpcMainInvokeEvent, 'app.info', {})

async function expectRefused(answer: ReturnType<typeof callFrom>): Promise<void> {
  expect(await answer).toMatchObject({
    ok: false,
    error: { code: 'INVALID_REQUEST', message: { id: 'app.notOurWindow' } }
  })
  expect(host.calls).toEqual([])
}

it('answers the main frame of our own page', async () => {
  expect(await callFrom(window.webContents, mainFrame)).toMatchObject({ ok: true })
  expect(host.calls).toEqual([{ name: 'app.info', input: {} }])
})

it('refuses a sender without a frame', () => expectRefused(callFrom(window.webContents, null)))

it('refuses a sub-frame, also one that shows our own address', () =>
  expectRefused(callFrom(window.webContents, { url: 'app://fitter/' })))

it('refuses another window, also one that shows our own address', () => expectRefused(callFrom({}, mainFrame)))

it('refuses every sender before there is a window, and after it was closed', async () => {
  await expectRefused(
    answerCall(
      host,
      undefined,
      { sender: window.webContents, senderFrame: window.webContents.mainFrame },
      'app.info',
      {}
    )
  )
  isDestroyed = true
  await expectRefused(callFrom(window.webContents, mainFrame))
})

const foreign = [
  '',
  'about:blank',
  'about:srcdoc',
  'https://fitter/',
  'http://attacker.example/',
  'app://fitter.attacker.example/',
  'app://other/',
  'app://user@fitter/',
  'app://:password@fitter/',
  'app://fitter:81/',
  'file:///etc/passwd',
  'data:text/html,x',
  'javascript:alert(1)',
  'blob:app://fitter/1'
]
it.each(foreign)('refuses the main frame while it shows "%s", and sends it no event', async (url) => {
  mainFrame.url = url
  await expectRefused(callFrom(window.webContents, mainFrame))
  expect(findReceiver(window)).toBeUndefined()
})

it('refuses a call whose name is not text', async () => {
  for (const name of [undefined, null, 7, { toString: () => 'app.info' }, ['app.info']]) {
    expect(
      await answerCall(
        host,
        window,
        { sender: window.webContents, senderFrame: window.webContents.mainFrame },
        name,
        {}
      )
    ).toMatchObject({ ok: false, error: { message: { id: 'app.callUnnamed' } } })
  }
  expect(host.calls).toEqual([])
})

it('sends events to our own page, and to no window that is missing or closed', () => {
  expect(findReceiver(window)).toBe(window.webContents)
  expect(findReceiver(undefined)).toBeUndefined()
  isDestroyed = true
  expect(findReceiver(window)).toBeUndefined()
})
