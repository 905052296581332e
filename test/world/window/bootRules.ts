import { expect } from 'vitest'

/** How often the outputs were looked after, the core stopped, the application ended, the person asked. */
interface Quitting {
  asked: number
  stopped: number
  exits: number
  boxes: number
}

export interface BootReport {
  journal: { step: string; isReady: boolean }[]
  schemes: unknown[]
  channels: string[]
  /** What our own page gets for `app.info`. */
  answer: unknown
  keptBounds: unknown
  shown: string[]
  windowCount: number
  exitCodes: number[]
  errorBoxes: string[]
  messageBoxes: number
  stopped: number
  /** What the shell asked of Electron, as statements of TypeScript. */
  uses: string[]
  installed: number
  quitting?: {
    whileProving: Quitting
    stayed: Quitting
    asleep: Quitting
    isHeldBack: boolean
    boxes: { message: string; buttons: string[] }[]
  }
  seen: {
    senders: Record<string, string>
    foreignSenders: Record<string, string>
    sentToForeignPage: number
    sentToOwnPage: number
    navigations: Record<string, Record<string, boolean>>
    windowOpen: string[]
    requests: Record<string, boolean>
    permissions: Record<string, { asked: boolean; checked: boolean }>
    cameras: Record<string, { asked: boolean; checked: boolean }>
    clipboards: Record<string, { asked: boolean; checked: boolean }>
    device: boolean
    replies: Record<string, { status: number; headers: Record<string, string>; body: string }>
    windowOptions: Record<string, unknown>
    windowActs: string[]
    tray?: {
      atFirst: string[]
      counted: { lines: string[]; toolTip: string; badge: number }
      brought: string[]
      call: unknown
    }
    resumed: number
  }
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What has to hold of the built main bundle, by a sentence each. A rule throws when it is broken. */
export const bootRules: Readonly<Record<string, (report: BootReport) => void>> = {
  'the single-instance lock is the very first step': ({ journal }) => {
    expect(journal[0]).toEqual({ step: 'lock', isReady: false })
  },
  'the sandbox is switched on before ready': ({ journal }) => {
    expect(journal).toContainEqual({ step: 'sandbox', isReady: false })
  },
  'app:// is registered before ready, with these privileges and no more': ({ journal, schemes }) => {
    expect(journal).toContainEqual({ step: 'schemes', isReady: false })
    expect(schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
    ])
  },
  'the page is served and calls are answered before the window opens': ({ journal }) => {
    const steps = journal.map((entry) => entry.step)
    const window = steps.indexOf('window')
    expect(window).toBeGreaterThan(steps.indexOf('ready'))
    for (const step of ['handle app:', 'handle file:', 'calls']) {
      expect([step, steps.indexOf(step) > steps.indexOf('ready') && steps.indexOf(step) < window]).toEqual([step, true])
    }
    expect(steps[window + 1]).toBe('load app://fitter/')
  },
  'one window, isolated and sandboxed, without Node': ({ windowCount, seen }) => {
    expect(windowCount).toBe(1)
    const { webPreferences, ...options } = seen.windowOptions as { webPreferences: Record<string, unknown> }
    expect(options).toMatchObject({ minWidth: 1024, minHeight: 640 })
    expect(webPreferences).toEqual({
      preload: expect.stringMatching(/\/out\/preload\/index\.cjs$/),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false,
      devTools: false
    })
  },
  'every reply carries the policy and nosniff, also refusals': ({ seen }) => {
    for (const [name, reply] of Object.entries(seen.replies)) {
      expect([name, reply.headers['content-security-policy']]).toEqual([name, policy])
      expect([name, reply.headers['x-content-type-options']]).toEqual([name, 'nosniff'])
    }
  },
  'only files of the built page are served': ({ seen }) => {
    const statuses = Object.fromEntries(Object.entries(seen.replies).map(([name, reply]) => [name, reply.status]))
    expect(statuses).toEqual({
      '/': 200,
      '/app.js': 200,
      '/nothing': 404,
      '/../secret.txt': 404,
      '/..%2fsecret.txt': 404,
      '/map/offline.pmtiles': 200,
      'map of another host': 404,
      'POST /': 405,
      'other host': 404,
      file: 403
    })
    expect(Object.values(seen.replies).map((reply) => reply.body)).not.toContain('secret')
    expect(seen.replies['/']?.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(seen.replies['/app.js']?.headers['content-type']).toBe('text/javascript; charset=utf-8')
  },
  'file: is refused': ({ seen }) => {
    expect(seen.replies.file?.status).toBe(403)
    expect(seen.requests['file:///etc/passwd']).toBe(true)
  },
  'the page reaches nothing but our own origin': ({ seen }) => {
    expect(seen.requests).toEqual({
      'app://fitter/app.js': false,
      'blob:app://fitter/1': false,
      'https://attacker.example/': true,
      'http://127.0.0.1:9/': true,
      'file:///etc/passwd': true,
      'ws://127.0.0.1:9/': true,
      'app://other/': true,
      'blob:https://attacker.example/1': true
    })
  },
  'there is one channel for calls, and our own page is answered': ({ channels, seen }) => {
    expect(channels).toHaveLength(1)
    expect(seen.senders.own).toBe('answered, core saw it')
  },
  'a missing, sub-frame or foreign sender is refused': ({ seen }) => {
    const { missing, subFrame, otherWindow } = seen.senders
    expect({ missing, subFrame, otherWindow }).toEqual({
      missing: 'refused, core untouched',
      subFrame: 'refused, core untouched',
      otherWindow: 'refused, core untouched'
    })
  },
  'a sender that shows any other address is refused, also an empty one and about:blank': ({ seen }) => {
    expect(Object.keys(seen.foreignSenders)).toEqual(expect.arrayContaining(['', 'about:blank', 'https://fitter/']))
    for (const [url, outcome] of Object.entries(seen.foreignSenders)) {
      expect([url, outcome]).toEqual([url, 'refused, core untouched'])
    }
  },
  'events go to our own page only': ({ seen }) => {
    expect([seen.sentToForeignPage, seen.sentToOwnPage]).toEqual([0, 1])
  },
  'the window never leaves our origin': ({ seen }) => {
    for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
      for (const [url, isPrevented] of Object.entries(seen.navigations[event] ?? {})) {
        expect([event, url, isPrevented]).toEqual([event, url, !/^app:\/\/fitter\/(index\.html)?$/.test(url)])
      }
    }
  },
  'no web view is attached': ({ seen }) => {
    expect(Object.values(seen.navigations['will-attach-webview'] ?? {})).not.toContain(false)
  },
  'no second window is opened, not even for our own page': ({ seen }) => {
    expect(seen.windowOpen).toEqual(['deny', 'deny'])
  },
  'every permission is denied but writing to the clipboard, keeping the screen on, and the camera': ({ seen }) => {
    for (const [name, { asked, checked }] of Object.entries(seen.permissions)) {
      const isGranted = name === 'clipboard-sanitized-write' || name === 'screen-wake-lock'
      expect([name, asked, checked]).toEqual([name, isGranted, isGranted])
    }
    expect(seen.device).toBe(false)
  },
  "the camera is for our own page's main frame, without sound": ({ seen }) => {
    for (const [name, { asked, checked }] of Object.entries(seen.cameras)) {
      const isGranted = name === 'own page'
      expect([name, asked, checked]).toEqual([name, isGranted, isGranted])
    }
  },
  "the clipboard is written by our own page's main frame alone": ({ seen }) => {
    for (const [name, { asked, checked }] of Object.entries(seen.clipboards)) {
      const isGranted = name === 'own page'
      expect([name, asked, checked]).toEqual([name, isGranted, isGranted])
    }
  },
  'a second start brings the window forward': ({ seen }) => {
    expect(seen.windowActs.slice(0, 2)).toEqual(['restore', 'focus'])
  },
  'the place of the window is kept when it closes': ({ keptBounds }) => {
    expect(keptBounds).toEqual({ x: 10, y: 20, width: 1300, height: 900 })
  },
  'the tray counts what needs the person and what is on its way, pauses it, and brings the window forward': ({
    seen
  }) => {
    // The words are ids here: this bundle has no catalogue.
    expect(seen.tray?.atFirst).toHaveLength(6)
    expect(seen.tray?.counted.lines).toHaveLength(8)
    expect(seen.tray?.counted.lines.join('|')).toMatch(/.*\|-\|.*2.*\|.*5.*\|.*\|.*: true\|-\|.*/)
    expect(seen.tray?.counted.toolTip).toMatch(/^Fitter: .*2.*5/)
    expect([seen.tray?.counted.badge, seen.tray?.brought, seen.tray?.call]).toEqual([
      2,
      ['restore', 'focus'],
      { name: 'operations.resume', input: { id: null } }
    ])
  },
  'waking up is passed on to the core': ({ seen }) => {
    expect(seen.resumed).toBe(1)
  },
  'the core is stopped before the application ends': ({ stopped, exitCodes }) => {
    expect([stopped, exitCodes]).toEqual([1, [0]])
  },
  'an update is installed after the core has stopped': ({ installed }) => {
    expect(installed).toBe(1)
  },
  'quitting waits for the proof that outputs are off, and a second Quit is held back': ({ quitting }) => {
    expect(quitting?.whileProving).toEqual({ asked: 1, stopped: 0, exits: 0, boxes: 0 })
  },
  'an output that may be on is said in one sentence, and staying keeps everything as it is': ({ quitting }) => {
    expect(quitting?.stayed).toEqual({ asked: 1, stopped: 0, exits: 0, boxes: 1 })
    expect(quitting?.boxes[0]).toEqual({ message: 'OUT1 may still be on.', buttons: ['Stay', 'Quit anyway'] })
  },
  'outputs go off when the computer sleeps and when the session ends': ({ quitting }) => {
    expect(quitting?.asleep).toEqual({ asked: 3, stopped: 0, exits: 0, boxes: 1 })
  },
  'a shutdown of the computer is held back until then': ({ quitting }) => {
    expect([quitting?.isHeldBack, quitting?.boxes.length]).toEqual([true, 2])
  }
}

/** The rules that a build breaks. */
export function findBrokenRules(report: BootReport): string[] {
  return Object.entries(bootRules)
    .filter(([, rule]) => {
      try {
        rule(report)
        return false
      } catch {
        return true
      }
    })
    .map(([name]) => name)
}
