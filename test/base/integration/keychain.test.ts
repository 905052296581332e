import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { isSignedBy } from '../../../main/data/store/jobs/signature.ts'

const run = promisify(execFile)
const child = join(import.meta.dirname, '..', '..', 'world', 'data', 'keychainChild.ts')
let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fitter-keychain-'))
})

afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }))

/** The child's results, in an environment where nothing but the given bus is known. */
async function inChild(
  steps: string[][],
  bus: string,
  more: { limitMs?: number; nodeArgs?: string[] } = {}
): Promise<unknown[]> {
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, XDG_RUNTIME_DIR: home, DBUS_SESSION_BUS_ADDRESS: bus }
  const args = [...(more.nodeArgs ?? []), child, JSON.stringify({ steps, limitMs: more.limitMs })]
  const { stdout } = await run(process.execPath, args, { env, cwd: home, timeout: 180_000 })
  return JSON.parse(stdout) as unknown[]
}

/** Every text under the home folder of the child, as one. */
async function everythingOnDisk(): Promise<string> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')))
  return texts.join('\n')
}

const value = '{"user":"installer","password":"keychain-marker-7740"}'

describe('Without a keychain', () => {
  it('a secret lasts for this run, in memory only, and the status says why and what to do', async () => {
    const results = await inChild(
      [
        ['status'],
        ['set', 'device/1', value],
        ['get', 'device/1'],
        ['remove', 'device/1'],
        ['get', 'device/1'],
        ['set', 'device/2', value]
      ],
      `unix:path=${home}/no-bus`
    )
    expect(results[0]).toEqual({ kind: 'thisRunOnly', reason: { id: 'keychain.noService', values: {} } })
    expect(results.slice(1)).toEqual([null, value, null, null, null])
    expect(await everythingOnDisk()).not.toContain('marker')
  })

  it('the same holds where its library is not installed', async () => {
    const hooks = `import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (name === 'keytar') throw new Error('libsecret-1.so.0: cannot open shared object file')
        return next(name, context)
      } })`
    const results = await inChild([['set', 'a', value], ['get', 'a'], ['status']], '', {
      nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`]
    })
    expect(results[1]).toBe(value)
    expect(results[2]).toEqual({ kind: 'thisRunOnly', reason: { id: 'keychain.noLibrary', values: {} } })
  })

  it('the same holds where the keychain never answers', async () => {
    const silent = await listen(`${home}/silent`, () => undefined)
    const results = await inChild([['set', 'a', value], ['get', 'a'], ['status']], silent, { limitMs: 200 })
    expect(results[1]).toBe(value)
    expect(results[2]).toEqual({ kind: 'thisRunOnly', reason: { id: 'keychain.silent', values: {} } })
  })

  it('a workplace that leaves the keychain alone keeps secrets to itself', async () => {
    const secrets = createSecrets({ inMemory: true })
    await secrets.set('a', value)
    expect(await secrets.get('a')).toBe(value)
    expect(await secrets.get('b')).toBeUndefined()
    expect(await createSecrets({ inMemory: true }).get('a')).toBeUndefined()
    expect((await secrets.status()).kind).toBe('thisRunOnly')
  })

  it('nothing is signed, and no key is made that would be gone with the process', async () => {
    const results = await inChild(
      [
        ['sign', 'one', 'text'],
        ['get', 'seal/one']
      ],
      `unix:path=${home}/no-bus`
    )
    expect(results).toEqual([{ algorithm: 'hashOnly', publicKey: null, signature: null, remembered: [] }, null])
  })

  it('a secret without a name or a value is refused', async () => {
    await expect(createSecrets({ inMemory: true }).set('', value)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    await expect(createSecrets({ inMemory: true }).set('a', '')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})

/** A Unix socket that takes connections and does with them what `handle` says. */
async function listen(path: string, handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    handle(socket)
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `unix:path=${path}`
}

/** A private bus with an unlocked keyring on it, as a desktop session has one. Gone when the test is over. */
async function startKeyring(): Promise<string> {
  const script =
    'printf pw | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 & echo "$DBUS_SESSION_BUS_ADDRESS"; wait'
  const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home }
  const session = spawn('dbus-run-session', ['--', 'sh', '-c', script], {
    env,
    cwd: home,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  onTestFinished(async () => {
    const ended = new Promise((resolve) => session.once('exit', resolve))
    // The group of this one session: the bus, the shell and the keyring.
    if (session.pid !== undefined) process.kill(-session.pid, 'SIGTERM')
    await ended
  })
  return new Promise((resolve, reject) => {
    session.once('error', reject)
    session.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()))
  })
}

const hasKeyring = existsSync('/usr/bin/gnome-keyring-daemon') && existsSync('/usr/bin/dbus-run-session')

describe.runIf(hasKeyring)('With a keychain', () => {
  it('a secret outlives the process, is found by its name only, and can be removed', async () => {
    const bus = await startKeyring()
    const [first] = await inChild([['untilKeychain']], bus, { limitMs: 10_000 })
    expect(first).toBe(true)
    expect(await inChild([['set', 'gateway/https://g.example/api/installer', value], ['status']], bus)).toEqual([
      null,
      { kind: 'keychain' }
    ])
    const get = ['get', 'gateway/https://g.example/api/installer']
    expect(await inChild([get, ['get', 'gateway/other'], ['remove', get[1] ?? ''], get], bus)).toEqual([
      value,
      null,
      null,
      null
    ])
    expect(await everythingOnDisk()).not.toContain('marker')
  })

  it('each workplace has one key that signs from then on, and the private one is nowhere on the disk', async () => {
    const bus = await startKeyring()
    interface Signed {
      algorithm: string
      publicKey: string
      signature: string
      remembered: string[]
    }
    const [isThere, first] = (await inChild([['untilKeychain'], ['sign', 'one', 'text']], bus, {
      limitMs: 10_000
    })) as [boolean, Signed]
    expect(isThere).toBe(true)
    const [again, other, kept] = (await inChild(
      [
        ['sign', 'one', 'another text'],
        ['sign', 'two', 'text'],
        ['get', 'seal/one']
      ],
      bus
    )) as [Signed, Signed, string]
    expect(isSignedBy('text', first.publicKey, first.signature)).toBe(true)
    expect(isSignedBy('tExt', first.publicKey, first.signature)).toBe(false)
    expect(isSignedBy('another text', first.publicKey, again.signature)).toBe(true)
    expect(again.remembered).toEqual([first.publicKey])
    expect(other.publicKey).not.toBe(first.publicKey)
    expect(await everythingOnDisk()).not.toContain((JSON.parse(kept) as { privateKey: string }).privateKey)
  })

  it('one that was only late to open is used as soon as it answers, and gets what was kept meanwhile', async () => {
    const bus = await startKeyring()
    await inChild([['untilKeychain'], ['set', 'old', value]], bus, { limitMs: 10_000 })
    const path = /unix:(?:path|abstract)=([^,]+)/.exec(bus)?.[1] ?? ''
    const opened = join(home, 'opened')
    const locked = await listen(`${home}/locked`, (socket) => {
      // A person opens it once the child was told that it is late.
      void expect
        .poll(() => existsSync(opened))
        .toBe(true)
        .then(
          () => {
            const real = connect(path)
            real.on('error', () => socket.destroy())
            socket.pipe(real).pipe(socket)
          },
          () => socket.destroy()
        )
    })
    const results = await inChild(
      [
        ['set', 'new', value],
        ['remove', 'old'],
        ['status'],
        ['get', 'new'],
        ['mark', opened],
        ['untilKeychain'],
        ['get', 'new']
      ],
      locked,
      { limitMs: 150 }
    )
    expect(results[2]).toMatchObject({ kind: 'thisRunOnly' })
    expect([results[3], ...results.slice(5)]).toEqual([value, true, value])
    expect(
      await inChild(
        [
          ['get', 'new'],
          ['get', 'old']
        ],
        bus
      )
    ).toEqual([value, null])
  })
})
