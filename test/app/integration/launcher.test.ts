import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'

const pretendOld = ['--require', join(projectFolder, 'test/world/window/pretendOldNode.cjs')]

let folder: string
const children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-launcher-'))
})
afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

function run(program: string, parameters: string[], input = ''): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(program, parameters, { cwd: folder, timeout: 18_000 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr })
    )
    child.stdin?.end(input)
  })
}

/** A project of which nothing is there but the launcher and a command line that says what it got. */
function makeProject(options: { ownNode: boolean }): string {
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'main', 'terminal'), { recursive: true })
  copyFileSync(join(projectFolder, 'bin', 'fitter.cjs'), join(folder, 'bin', 'fitter.cjs'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'main', 'terminal', 'index.ts'),
    `
    const given: string[] = process.argv.slice(2)
    if (given[0] === 'wait') {
      process.on('SIGTERM', () => { process.stdout.write('stopping'); process.exit(9) })
      setInterval(() => undefined, 1000)
      process.stdout.write('ready')
    } else if (given[0] === 'die') {
      process.kill(process.pid, 'SIGKILL')
    } else {
      let text = ''
      for await (const part of process.stdin) text += part
      process.stdout.write(JSON.stringify({ given, text, node: process.versions.node, again: process.env.FITTER_STARTED_AGAIN ?? null }))
      process.stderr.write('to stderr')
      process.exitCode = 3
    }
    export const runTerminal = () => undefined
    `
  )
  if (options.ownNode) {
    mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true })
    // A copy would be 120 MB; the launcher only runs it.
    writeFileSync(join(folder, 'node_modules', '.bin', 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, {
      mode: 0o755
    })
  }
  return join(folder, 'bin', 'fitter.cjs')
}

function start(parameters: string[]): {
  child: ChildProcess
  output: () => string
  ended: Promise<[number | null, string | null]>
} {
  const child = spawn(process.execPath, parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let text = ''
  child.stdout?.on('data', (part: Buffer) => (text += part.toString()))
  const ended = new Promise<[number | null, string | null]>((resolve) =>
    child.on('exit', (code, signal) => resolve([code, signal]))
  )
  return { child, output: () => text, ended }
}

describe('bin/fitter on a Node that is too old', () => {
  it("runs itself again with the project's own: same arguments, input, output and exit code", async () => {
    const launcher = makeProject({ ownNode: true })
    const { code, stdout, stderr } = await run(
      process.execPath,
      [...pretendOld, launcher, 'a b', '--json', '"'],
      'typed'
    )
    expect(JSON.parse(stdout)).toEqual({
      given: ['a b', '--json', '"'],
      text: 'typed',
      node: process.versions.node,
      again: null
    })
    expect([code, stderr]).toEqual([3, 'to stderr'])
  })

  it('passes a signal on and ends as the command ends', async () => {
    const { child, output, ended } = start([...pretendOld, makeProject({ ownNode: true }), 'wait'])
    await expect.poll(output, { timeout: 45_000 }).toBe('ready')
    child.kill('SIGTERM')
    expect(await ended).toEqual([9, null])
    expect(output()).toBe('readystopping')
  })

  it('dies of the signal that the command died of', async () => {
    const { ended } = start([...pretendOld, makeProject({ ownNode: true }), 'die'])
    expect(await ended).toEqual([null, 'SIGKILL'])
  })

  it('says in one sentence what to do when there is no other', async () => {
    const { code, stdout, stderr } = await run(process.execPath, [...pretendOld, makeProject({ ownNode: false })])
    expect(stderr).toMatch(
      /^Fitter needs Node 22\.12 or newer and this is 18\.19\.0: run "npm ci" in .+, or install a newer Node\.\n$/
    )
    expect([code, stdout]).toEqual([2, ''])
  })

  const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(
    (path) => existsSync(path) && Number(execFileSync(path, ['-p', 'parseInt(process.versions.node)']).toString()) < 22
  )
  // Where the machine has none, the tests above still hold: this one adds that nothing in the file itself is too new.
  if (oldNode !== undefined) {
    it('works with a really old one as well, started as people start it', async () => {
      const { code, stderr } = await run(oldNode, [join(projectFolder, 'bin', 'fitter'), 'no-such-command'])
      expect(code).toBe(2)
      expect(stderr).not.toMatch(/ExperimentalWarning|at .*\.cjs/)
    })
  }
})

describe('bin/fitter on a new Node', () => {
  it('runs the command in the same process, without warnings', async () => {
    const { code, stdout, stderr } = await run(process.execPath, [makeProject({ ownNode: false }), 'x'])
    expect(JSON.parse(stdout)).toMatchObject({ given: ['x'] })
    expect([code, stderr]).toEqual([3, 'to stderr'])
  })

  it('ends with 70 and the fault when the command line can not even be loaded', async () => {
    const launcher = makeProject({ ownNode: false })
    writeFileSync(join(folder, 'main', 'terminal', 'index.ts'), 'throw new Error("broken")')
    const { code, stderr } = await run(process.execPath, [launcher])
    expect(code).toBe(70)
    expect(stderr).toContain('Error: broken')
  })
})

describe.runIf(process.platform === 'linux')('npm start', () => {
  function startFitter(parameters: string[] = [], more: NodeJS.ProcessEnv = {}) {
    const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...bare } = process.env
    const env = { ...bare, ...more }
    const child = spawn(
      process.execPath,
      [join(projectFolder, 'bin', 'start.ts'), '--data', join(folder, 'data'), ...parameters],
      {
        env,
        stdio: ['ignore', 'pipe', 'pipe']
      }
    )
    children.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()))
    const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
    const address = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/\?key=\S+/.exec(text)?.[0]
    return { child, address, ended, output: () => text }
  }

  /** The address leads on to a random name of this computer, which only browsers and curl know how to find. */
  function readPage(address: string): string {
    const jar = join(folder, 'jar')
    return execFileSync('curl', ['-sL', '-m', '10', '-c', jar, '-b', jar, address]).toString()
  }

  /** What the redirect file of a `file:` address leads to. */
  function readRedirect(url: string): { address: string; path: string } {
    const path = fileURLToPath(url)
    return { path, address: /content="0;url=([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1] ?? '' }
  }

  /** The arguments of every process that can be seen, as any user of this machine reads them. */
  function allArguments(): string {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        } catch {
          return ''
        }
      })
      .join('\n')
  }

  it(
    'says without a display so in one sentence, prints an address that shows the page, and ends cleanly on Ctrl+C',
    { timeout: 180_000 },
    async () => {
      const { child, address, ended, output } = startFitter()
      await expect.poll(address, { timeout: 45_000, message: output() }).toBeDefined()
      expect(output()).toMatch(/^There is no display here, so Fitter waits for a browser on this machine\.\n/)
      expect(readPage(address()!)).toContain('<script src="/bridge.js"></script>')
      child.kill('SIGINT')
      expect(await ended).toBe(0)
      expect(existsSync(join(folder, 'data'))).toBe(true)
    }
  )

  it(
    'opens the address as a window of its own where there is a display, and closes it at the end',
    { timeout: 180_000 },
    async () => {
      const seen = join(folder, 'seen')
      // Stands for Chromium: notes what it was asked for, and stays.
      writeFileSync(
        join(folder, 'chromium'),
        `#!/bin/sh\nenv > '${seen}.env'\nprintf '%s\\n' "$$" "$@" > '${seen}.part'; mv '${seen}.part' '${seen}'\nexec sleep 60\n`,
        { mode: 0o755 }
      )
      const { child, address, ended, output } = startFitter(['--browser'], {
        DISPLAY: ':99',
        PATH: `${folder}:${process.env.PATH}`,
        FITTER_GATEWAY_USER: 'canary-user',
        FITTER_GATEWAY_PASSWORD: 'canary-password',
        HTTPS_PROXY: 'http://canary:canary@proxy.invalid'
      })
      await expect.poll(() => existsSync(seen), { timeout: 45_000, message: output() }).toBe(true)
      // A browser gets what it needs to be shown, and no password.
      const environment = readFileSync(`${seen}.env`, 'utf8')
      expect(environment).toContain('DISPLAY=:99')
      expect(environment).not.toMatch(/canary|FITTER_/)
      const [pid, ...given] = readFileSync(seen, 'utf8').trim().split('\n')
      const app = given.find((parameter) => parameter.startsWith('--app='))?.slice('--app='.length) ?? ''
      expect(given.join(' ')).not.toContain('key=')
      const redirect = readRedirect(app)
      expect([statSync(redirect.path).mode & 0o777, statSync(dirname(redirect.path)).mode & 0o777]).toEqual([
        0o600, 0o700
      ])
      expect(new URL(redirect.address).origin).toBe(new URL(address()!).origin)
      // The printed address stays good for somebody else.
      expect(redirect.address).not.toBe(address())
      for (const one of [redirect.address, address()!])
        expect(allArguments()).not.toContain(new URL(one).searchParams.get('key'))
      expect(readPage(redirect.address)).toContain('<script src="/bridge.js"></script>')
      // Used: nobody finds it any more.
      await expect.poll(() => existsSync(redirect.path)).toBe(false)
      expect(given).toContain(`--user-data-dir=${join(folder, 'browser')}`)
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
      await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
    }
  )

  it(
    'hands the system a file that leads on, never the key itself, where there is no browser of its own',
    { timeout: 180_000 },
    async () => {
      const seen = join(folder, 'seen')
      writeFileSync(
        join(folder, 'xdg-open'),
        `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}.part'; mv '${seen}.part' '${seen}'\n`,
        { mode: 0o755 }
      )
      for (const program of ['sh', 'mv', 'printf', 'ip', 'ss']) {
        const [found] = ['/bin', '/usr/bin', '/sbin', '/usr/sbin']
          .map((place) => join(place, program))
          .filter((path) => existsSync(path))
        if (found !== undefined) symlinkSync(found, join(folder, program))
      }
      const { child, ended, output } = startFitter(['--browser'], { DISPLAY: ':99', PATH: folder })
      await expect.poll(() => existsSync(seen), { timeout: 45_000, message: output() }).toBe(true)
      const url = readFileSync(seen, 'utf8').trim()
      expect(url).toMatch(/^file:.*open\.html$/)
      const redirect = readRedirect(url)
      expect(redirect.address).toContain('key=')
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
      expect(existsSync(redirect.path)).toBe(false)
    }
  )

  it('tells the person what to do when the browser does not stay open', { timeout: 180_000 }, async () => {
    writeFileSync(join(folder, 'chromium'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const { child, ended, output } = startFitter(['--browser'], {
      DISPLAY: ':99',
      PATH: `${folder}:${process.env.PATH}`
    })
    await expect
      .poll(output, { timeout: 45_000 })
      .toMatch(/chromium did not stay open: open the address above by hand\.\n/)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  it('refuses an option that it does not know, and says which there are', async () => {
    const { ended, output } = startFitter(['--wrong'])
    expect(await ended).toBe(2)
    expect(output()).toContain('--training')
  })
})
