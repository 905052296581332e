import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createContext, runInContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildStale, projectFolder } from '../../../bin/build.ts'
import { findTerminalArgs } from '../../../main/app/electron/commandLine.ts'
import { shellBreaks } from '../../proof/security/shellBreaks.ts'
import { bootRules, findBrokenRules, type BootReport } from '../../world/window/bootRules.ts'
import { electronVersion, findUnknownToElectron } from '../../world/window/electron/electronTypes.ts'
import { recordUses } from '../../world/window/electron/electronUses.ts'
import { startFitter } from '../../world/window/fitterProcess.ts'
import { makeInstalledFolder } from '../../world/window/installedFitter.ts'
import { bootShell, buildShell, makeBuildFolder, type Sabotage } from '../../world/window/buildShell.ts'

/** The shell as it is; builds that differ have folders of their own. */
let build: ReturnType<typeof makeBuildFolder>
let bundle: string
beforeAll(async () => {
  build = makeBuildFolder()
  bundle = await buildShell('main', build.folder)
})
afterAll(() => build.remove())

describe('the built main bundle', () => {
  let report: BootReport
  beforeAll(async () => {
    report = await bootShell(bundle)
  })
  it.each(Object.entries(bootRules))('%s', (_name, rule) => rule(report))

  it(`asks for nothing that Electron ${electronVersion} does not have: methods, properties, events, options`, () => {
    expect(report.uses.length).toBeGreaterThan(50)
    expect(findUnknownToElectron(report.uses)).toEqual([])
  })
})

it('ends at once, having touched nothing, when another Fitter runs', async () => {
  const { journal, exitCodes } = await bootShell(bundle, { FITTER_TEST_LOCK: 'taken' })
  expect(journal.map((entry) => entry.step)).toEqual(['lock', 'exit 0'])
  expect(exitCodes).toEqual([0])
})

it.each([
  'remote-debugging-port',
  'remote-debugging-pipe',
  'inspect',
  'inspect-brk',
  'no-sandbox',
  'disable-web-security'
])('packaged, does not start with --%s, and says so', async (name) => {
  const { journal, errorBoxes, exitCodes } = await bootShell(bundle, { FITTER_TEST_SWITCHES: name })
  expect(errorBoxes.join()).toContain(name)
  expect(journal.map((entry) => entry.step)).toEqual(['lock', 'exit 2'])
  expect(exitCodes).toEqual([2])
})

it.each(['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGINT'])(
  'ends after %s without a question: outputs off first, and what may still be on is the exit code',
  async (signal) => {
    const { exitCodes, messageBoxes, stopped } = await bootShell(bundle, { FITTER_TEST_SIGNAL: signal })
    expect({ exitCodes, messageBoxes, stopped }).toEqual({ exitCodes: [1], messageBoxes: 0, stopped: 1 })
  }
)

it(
  'loads a window that crashed again, but closes Fitter when it crashes over and over',
  { tags: ['long'] },
  async () => {
    const few = await bootShell(bundle, { FITTER_TEST_CRASHES: '3' })
    expect([few.seen.windowActs.filter((act) => act === 'reload').length, few.errorBoxes]).toEqual([3, []])
    const many = await bootShell(bundle, { FITTER_TEST_CRASHES: '9' })
    expect(many.seen.windowActs.filter((act) => act === 'reload')).toHaveLength(3)
    expect(many.errorBoxes[0]).toContain('windowKeepsFailing')
  }
)

it('opens filling the screen when it was closed so, before it is shown', async () => {
  const place = { x: 10, y: 20, width: 1300, height: 900 }
  const maximized = await bootShell(bundle, {
    FITTER_TEST_WINDOW: JSON.stringify({ ...place, isMaximized: true }),
    FITTER_TEST_MAXIMIZED: 'yes'
  })
  expect([maximized.shown, maximized.keptBounds]).toEqual([['maximize', 'show'], { ...place, isMaximized: true }])
  const usual = await bootShell(bundle, { FITTER_TEST_WINDOW: JSON.stringify(place) })
  expect([usual.shown, usual.keptBounds]).toEqual([['show'], place])
})

it('starts the real core behind the window, answers a call from it, and puts it away', async () => {
  await buildStale(['main'])
  const { answer, errorBoxes, exitCodes } = await bootShell(join(projectFolder, 'out', 'main', 'electron.mjs'))
  expect(errorBoxes).toEqual([])
  expect(answer).toMatchObject({
    ok: true,
    value: { frontEnd: 'desktop', workplace: 'real', version: expect.any(String) }
  })
  expect(exitCodes).toEqual([0])
})

describe('the packaged terminal command', () => {
  const runPackaged = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    run(process.execPath, [
      join(import.meta.dirname, '..', '..', 'world', 'window', 'terminalBoot.ts'),
      join(projectFolder, 'out', 'main', 'electron.mjs'),
      ...args
    ])

  it('runs a command without a window, a lock or a sandboxed page, and keeps its exit code', async () => {
    await buildStale(['main'])
    const version = await runPackaged('--version', '--json')
    expect(version.code).toBe(0)
    expect([JSON.parse(version.stdout), version.stderr]).toEqual([{ version: expect.any(String) }, ''])
    expect((await runPackaged('no-such-command')).code).toBe(2)
  })

  it('serves the page, with the script that connects it to the core', async () => {
    const installed = await makeInstalledFolder()
    const data = mkdtempSync(join(tmpdir(), 'fitter-served-'))
    const serving = startFitter(['serve', '--json', '--data', data], {
      env: { HOME: data },
      starter: installed.starter
    })
    try {
      await serving.saw('"url"')
      const address = /"url":"([^"]+)"/.exec(serving.output())?.[1] ?? ''
      const visit = (url: string) =>
        execFileSync('curl', [
          '-sL',
          '-m',
          '10',
          '-c',
          join(data, 'jar'),
          '-b',
          join(data, 'jar'),
          '-w',
          '\n%{url_effective}',
          url
        ]).toString()
      const page = visit(address)
      expect(page).toContain('<script src="/bridge.js"></script>')
      const origin = page.slice(page.lastIndexOf('\n') + 1)
      expect(visit(new URL('/bridge.js', origin).href)).toContain("Object.defineProperty(window, 'fitter'")
    } finally {
      serving.kill('SIGTERM')
      await serving.ended
      installed.remove()
      rmSync(data, { recursive: true })
    }
  })

  it.each([
    [
      ['/opt/fitter-desktop', '--ozone-platform=headless', '--terminal', '--', 'job', 'list'],
      ['job', 'list']
    ],
    [['/opt/fitter-desktop', '--terminal', '--'], []],
    [['/opt/fitter-desktop'], undefined],
    [['/opt/fitter-desktop', '--terminal', 'job'], undefined],
    [['--terminal', '--', 'job'], undefined]
  ])('finds the command in %j', (argv, found) => expect(findTerminalArgs(argv)).toEqual(found))
})

/**
 * Each breaks one rule on purpose, which stands before it: those of the security proof that only a built shell shows,
 * and the others of the shell.
 */
const sabotages: [rule: string, sabotage: Sabotage][] = [
  ...shellBreaks
    .filter(({ caughtBy: [file, rule] }) => file.endsWith('/boot-electron.test.ts') && rule in bootRules)
    .map(({ file, from, to, caughtBy: [, rule] }): [string, Sabotage] => [rule, { file, from, to }]),
  [
    "the camera is for our own page's main frame, without sound",
    {
      file: 'main/app/electron/permissions.ts',
      from: 'return isMainFrame && isOwnAddress(requestingUrl)',
      to: 'return isOwnAddress(requestingUrl)'
    }
  ],
  [
    "the clipboard is written by our own page's main frame alone",
    { file: 'main/app/electron/permissions.ts', from: 'isMainFrame && isOwnAddress(origin) &&', to: 'isMainFrame &&' }
  ],
  [
    'the single-instance lock is the very first step',
    { file: 'main/app/electron/index.ts', from: 'if (!app.', to: 'app.enableSandbox(); if (!app.' }
  ],
  [
    'a second start brings the window forward',
    { file: 'main/app/electron/desktop.ts', from: 'window.focus()', to: '' }
  ],
  [
    'the place of the window is kept when it closes',
    { file: 'main/app/electron/window.ts', from: 'rememberBounds(window))', to: 'undefined)' }
  ],
  [
    'the tray counts what needs the person and what is on its way, pauses it, and brings the window forward',
    {
      file: 'main/app/electron/desktop.ts',
      from: 'showTray(host,',
      to: 'void ((host: unknown, open: unknown) => [host, open, showTray])(host,'
    }
  ],
  [
    'the tray counts what needs the person and what is on its way, pauses it, and brings the window forward',
    { file: 'main/app/electron/tray.ts', from: 'needYou: needsAttention + failed', to: 'needYou: needsAttention' }
  ],
  ['waking up is passed on to the core', { file: 'main/app/electron/desktop.ts', from: "'resume'", to: "'suspend'" }],
  [
    'the core is stopped before the application ends',
    { file: 'main/app/electron/quitting.ts', from: 'host.stop()', to: 'Promise.resolve()' }
  ],
  [
    'an update is installed after the core has stopped',
    { file: 'main/app/electron/quitting.ts', from: 'await host.installUpdate()', to: '' }
  ],
  [
    'quitting waits for the proof that outputs are off, and a second Quit is held back',
    {
      file: 'main/app/electron/quitting.ts',
      from: 'event.preventDefault()',
      to: 'if (!quitting) event.preventDefault()'
    }
  ],
  [
    'quitting waits for the proof that outputs are off, and a second Quit is held back',
    {
      file: 'main/app/electron/quitting.ts',
      from: 'let left = await host.outputsOff(); left !== null;',
      to: 'let left = await Promise.race([host.outputsOff(), null]); left !== null;'
    }
  ],
  [
    'an output that may be on is said in one sentence, and staying keeps everything as it is',
    { file: 'main/app/electron/quitting.ts', from: 'if (response === 1) break', to: 'break' }
  ],
  [
    'outputs go off when the computer sleeps and when the session ends',
    { file: 'main/app/electron/quitting.ts', from: "'suspend'", to: "'unheard'" }
  ],
  [
    'outputs go off when the computer sleeps and when the session ends',
    { file: 'main/app/electron/quitting.ts', from: "'session-end'", to: "'unheard'" }
  ],
  [
    'a shutdown of the computer is held back until then',
    { file: 'main/app/electron/quitting.ts', from: "'shutdown', holdBack", to: "'unheard', holdBack" }
  ]
]

describe.concurrent('a build that breaks a rule is noticed', { tags: ['long'] }, () => {
  it.each(
    sabotages.map(([rule, sabotage]) => ({ rule, sabotage, title: `${sabotage.file}: ${String(sabotage.from)}` }))
  )('$title', async ({ rule, sabotage }) => {
    const own = makeBuildFolder()
    const report = await bootShell(await buildShell('main', own.folder, sabotage))
    own.remove()
    expect(findBrokenRules(report)).toContain(rule)
  })

  it('has such a build for every rule', () => {
    const covered = new Set(sabotages.map(([rule]) => rule))
    expect(Object.keys(bootRules).filter((rule) => !covered.has(rule))).toEqual([])
  })
})

describe('the built preload', () => {
  interface Exposed {
    call(name: unknown, input: unknown): Promise<unknown>
    subscribe(listener: (...parameters: unknown[]) => void): () => void
    lastHeardMs(): number
  }

  /** Runs the preload as the sandbox does: no Node, and a `require` that knows electron only. */
  async function runPreload(sabotage?: Sabotage) {
    const own = makeBuildFolder()
    const bundle = await buildShell('preload', own.folder, sabotage)
    const files = readdirSync(own.folder)
    const code = readFileSync(bundle, 'utf8')
    own.remove()
    const required: string[] = []
    const exposed: [string, Exposed][] = []
    const invoked: unknown[][] = []
    const heard = new Map<string, (...parameters: unknown[]) => void>()
    const uses = recordUses()
    const electron = {
      contextBridge: uses.watch(
        { exposeInMainWorld: (name: string, value: Exposed) => exposed.push([name, value]) },
        'Electron.CrossProcessExports.contextBridge'
      ),
      ipcRenderer: uses.watch(
        {
          invoke: async (...parameters: unknown[]) => {
            invoked.push(parameters)
            if (parameters[1] === 'broken') throw new Error("Error invoking remote method 'fitter:call'")
            return { ok: true, value: 1 }
          },
          on: (channel: string, listener: (...parameters: unknown[]) => void) => heard.set(channel, listener)
        },
        'Electron.CrossProcessExports.ipcRenderer'
      )
    }
    const context = createContext({
      require: (name: string) => {
        required.push(name)
        if (name !== 'electron') throw new Error(`module not found: ${name}`)
        return electron
      },
      module: { exports: {} },
      performance,
      exports: {}
    })
    runInContext(code, context)
    return { files, required, exposed, invoked, heard, code, uses: () => uses.statements() }
  }

  it('is one CommonJS file that asks for electron alone', async () => {
    const { files, required, code } = await runPreload()
    expect(files).toEqual(['index.cjs'])
    expect([...new Set(required)]).toEqual(['electron'])
    expect(code).not.toMatch(/zod|^import |^export /m)
  })

  it(`asks for nothing that Electron ${electronVersion} does not have`, async () => {
    const { exposed, heard, uses } = await runPreload()
    await exposed[0]![1].call('app.info', {})
    for (const [channel, listener] of heard) listener({ sender: channel }, 'app.notices', {})
    expect(uses()).toHaveLength(4)
    expect(findUnknownToElectron(uses())).toEqual([])
  })

  it('exposes one frozen object with three functions, and no channel name', async () => {
    const { exposed } = await runPreload()
    expect(exposed.map(([name]) => name)).toEqual(['fitter'])
    const fitter = exposed[0]![1]
    expect(Object.isFrozen(fitter)).toBe(true)
    expect(Object.keys(fitter).sort()).toEqual(['call', 'lastHeardMs', 'subscribe'])
    expect(Object.values(fitter).every((value) => typeof value === 'function')).toBe(true)
  })

  it('sends plain data on one channel, whatever the page gives it', async () => {
    const { exposed, invoked } = await runPreload()
    const fitter = exposed[0]![1]
    await fitter.call('app.info', new Proxy({ a: 1, drop: () => 1 }, {}))
    await fitter.call({ toString: () => 'app.info' }, undefined)
    expect(new Set(invoked.map(([channel]) => channel)).size).toBe(1)
    expect(JSON.parse(JSON.stringify(invoked.map((parameters) => parameters.slice(1))))).toEqual([
      ['app.info', { a: 1 }],
      ['app.info', {}]
    ])
    const circular: Record<string, unknown> = {}
    circular.self = circular
    expect(await fitter.call('app.info', circular)).toMatchObject({ ok: false, error: { code: 'INVALID_REQUEST' } })
    expect(invoked).toHaveLength(2)
  })

  it('turns a broken border into an answer without channel names', async () => {
    const { exposed } = await runPreload()
    const answer = await exposed[0]![1].call('broken', {})
    expect(answer).toMatchObject({ ok: false, error: { code: 'INTERNAL' } })
    expect(JSON.stringify(answer)).not.toContain('fitter:')
  })

  it('hands a subscriber the name and the payload, never the event object, until it stops', async () => {
    const { exposed, heard } = await runPreload()
    const seen: unknown[][] = []
    const stop = exposed[0]![1].subscribe((...parameters) => seen.push(parameters))
    const deliver = heard.get('fitter:event')
    deliver!({ sender: 'the event object' }, 'app.notices', { notices: [] })
    stop()
    deliver!({ sender: 'the event object' }, 'app.notices', { notices: [1] })
    expect(seen).toEqual([['app.notices', { notices: [] }]])
  })

  it('knows when the core was last heard, by an event or by a mere sign of life', async () => {
    const { exposed, heard } = await runPreload()
    const fitter = exposed[0]![1]
    for (const channel of ['fitter:event', 'fitter:beat']) {
      const before = fitter.lastHeardMs()
      await expect.poll(() => performance.now()).toBeGreaterThan(before)
      heard.get(channel)!({}, 'app.notices', {})
      expect(fitter.lastHeardMs()).toBeGreaterThan(before)
    }
  })

  it.each<[string, Sabotage, (result: Awaited<ReturnType<typeof runPreload>>) => boolean]>([
    [
      'that is not frozen',
      {
        file: 'preload/index.ts',
        from: 'Object.freeze({ call, subscribe, lastHeardMs: () => heardMs })',
        to: '{ call, subscribe, lastHeardMs: () => heardMs }'
      },
      ({ exposed }) => Object.isFrozen(exposed[0]![1])
    ],
    [
      'that exposes a second object',
      {
        file: 'preload/index.ts',
        from: 'contextBridge.',
        to: "contextBridge.exposeInMainWorld('more', {}); contextBridge."
      },
      ({ exposed }) => exposed.length === 1
    ],
    [
      'that gives the page ipcRenderer',
      { file: 'preload/index.ts', from: '{ call, subscribe,', to: '{ call, subscribe, ipcRenderer,' },
      ({ exposed }) => Object.keys(exposed[0]![1]).length === 3
    ]
  ])('a preload %s is noticed', async (_name, sabotage, holds) => {
    expect(holds(await runPreload(sabotage))).toBe(false)
  })
})

async function run(program: string, parameters: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number>((resolve) => child.on('exit', (number) => resolve(number ?? -1)))
  ])
  return { code, stdout, stderr }
}
