import type { Session } from 'electron'
import { beforeAll, expect, it } from 'vitest'
import { restrictPermissions } from '../../../../main/app/electron/permissions.ts'

type Ask = (contents: null, permission: string, answer: (isGranted: boolean) => void, details: object) => void
type Check = (contents: null, permission: string, origin: string, details: object) => boolean

let request: Ask
let check: Check
let device: () => boolean
beforeAll(() => {
  restrictPermissions({
    setPermissionRequestHandler: (handler: Ask) => (request = handler),
    setPermissionCheckHandler: (handler: Check) => (check = handler),
    setDevicePermissionHandler: (handler: () => boolean) => (device = handler)
  } as unknown as Session)
})

interface Asker {
  url?: string
  isMainFrame?: boolean
  media?: string[]
}

function asked(permission: string, { url = 'app://fitter/', isMainFrame = true, media }: Asker = {}): boolean {
  let answered: boolean | undefined
  request(null, permission, (isGranted) => (answered = isGranted), {
    isMainFrame,
    requestingUrl: url,
    ...(media ? { mediaTypes: media } : {})
  })
  expect(answered).toBeDefined()
  return answered!
}

const checked = (
  permission: string,
  { url = 'app://fitter/', isMainFrame = true, media = ['unknown'] }: Asker = {}
): boolean => media.every((mediaType) => check(null, permission, url, { isMainFrame, requestingUrl: url, mediaType }))

const others = [
  'clipboard-read',
  'display-capture',
  'geolocation',
  'notifications',
  'openExternal',
  'usb',
  'hid',
  'serial',
  'bluetooth',
  'midi',
  'midiSysex',
  'fullscreen',
  'pointerLock',
  'keyboardLock',
  'mediaKeySystem',
  'idle-detection',
  'speaker-selection',
  'storage-access',
  'top-level-storage-access',
  'window-management',
  'fileSystem',
  'unknown',
  ''
]

it('grants writing to the clipboard, and the camera without sound', () => {
  expect([asked('clipboard-sanitized-write'), checked('clipboard-sanitized-write')]).toEqual([true, true])
  expect([asked('media', { media: ['video'] }), checked('media', { media: ['video'] })]).toEqual([true, true])
})

it.each(others)('denies "%s", asked and checked', (permission) => {
  expect([
    asked(permission),
    asked(permission, { media: ['video'] }),
    checked(permission),
    checked(permission, { media: ['video'] })
  ]).toEqual([false, false, false, false])
})

it.each([{ media: ['audio'] }, { media: ['video', 'audio'] }, { media: [] as string[] }, {}])(
  'denies sound, and media of no kind: %j',
  ({ media }: Asker) => {
    expect(asked('media', media ? { media } : {})).toBe(false)
    expect(checked('media', media?.length ? { media } : {})).toBe(false)
  }
)

it.each(['clipboard-sanitized-write', 'media'])('denies %s to a sub-frame and to other origins', (permission) => {
  for (const asker of [
    { isMainFrame: false },
    { url: 'https://attacker.example/' },
    { url: 'about:blank' },
    { url: '' },
    { url: 'app://other/' },
    { url: 'app://user@fitter/' }
  ]) {
    expect([
      asker,
      asked(permission, { ...asker, media: ['video'] }),
      checked(permission, { ...asker, media: ['video'] })
    ]).toEqual([asker, false, false])
  }
})

it('denies every device', () => {
  expect(device()).toBe(false)
})
