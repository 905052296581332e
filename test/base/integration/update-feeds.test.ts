import { generateKeyPairSync } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { SecureVersion } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signText, writeFeed } from '../../../bin/updateFeed.ts'
import { fetchLimits, type FetchLimits } from '../../../main/base/updates/fetch.ts'
import { createUpdates, type UpdatesOptions } from '../../../main/base/updates/updates.ts'
import { memoryFolder } from '../../world/memoryFolder.ts'
import {
  feedContent,
  fileOf,
  ownFeedName,
  ownPackage,
  packageBytes,
  startFeedServer,
  type FeedServer
} from '../../world/gateway/updateFeed.ts'

const noPolicy = {
  file: '/etc/fitter/policy.json',
  isThere: false,
  changedAt: null,
  company: '',
  contact: { name: '', mail: '', phone: '' },
  values: [],
  problems: []
}
const day = 24 * 3_600_000
const feedPath = `/feed/${ownFeedName}`
const packagePath = `/feed/${ownPackage}`

let folder: string
let server: FeedServer
let prepared: string[]
const stops: (() => unknown)[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(memoryFolder, 'fitter-updates-'))
  server = await startFeedServer()
  prepared = []
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await server.stop()
  rmSync(folder, { recursive: true })
})

function openUpdates(change: Partial<UpdatesOptions> = {}) {
  let tell: () => void = () => undefined
  const updates = createUpdates({
    installed: '2.4.0',
    folder,
    source: server.source,
    policy: noPolicy,
    platform: { os: 'linux', arch: process.arch === 'arm64' ? 'arm64' : 'x64' },
    notByItself: null,
    installer: {
      prepare: ({ path }) => Promise.resolve(void prepared.push(path)),
      installNow: () => Promise.resolve()
    },
    reasons: () => [],
    connect: (url, how) => server.ways.connect(url, how),
    changed: () => tell(),
    reportFault: (error) => expect(error).toBeUndefined(),
    ...change
  })
  stops.push(() => updates.stop())
  /** Resolves when the download that was begun has ended. */
  async function download() {
    const ended = new Promise<void>(
      (resolve) => (tell = () => void (updates.state().phase === 'downloading' || resolve()))
    )
    updates.download()
    await ended
    return updates.state()
  }
  return { updates, download }
}

function listFiles(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name !== 'updates.json' ? [entry.name] : []
  )
}

/** A server that no longer speaks any version of TLS that is accepted. */
const old = (maxVersion: SecureVersion) => ({
  secure: { minVersion: 'TLSv1' as const, maxVersion, ciphers: 'DEFAULT:@SECLEVEL=0' }
})
const limits = (change: Partial<FetchLimits>): FetchLimits => ({ ...fetchLimits, ...change })

describe('a feed that is as it should be', () => {
  it('is offered, downloaded when a person wants it, and prepared after its hash was read again', async () => {
    const { updates, download } = openUpdates()
    expect(await updates.check()).toMatchObject({
      phase: 'available',
      latest: '2.5.0',
      problem: null,
      offer: { version: '2.5.0', signedBy: 'Fitter Software S.A.S.', sizeBytes: packageBytes.length }
    })
    expect(server.requests).toEqual([feedPath])
    expect(await download()).toMatchObject({ phase: 'ready', problem: null, receivedBytes: packageBytes.length })
    expect((await updates.install()).phase).toBe('installing')
    expect(prepared).toEqual([join(folder, '2.5.0', ownPackage)])
    expect(updates.mayInstall()).toBe(true)
    expect(updates.later().phase).toBe('ready')
    expect(updates.mayInstall()).toBe(false)
  })

  it('is still there after a restart, without a second download', async () => {
    const first = openUpdates()
    await first.updates.check()
    await first.download()
    expect((await openUpdates().updates.check()).phase).toBe('ready')
    expect(server.requests.filter((path) => path === packagePath)).toHaveLength(1)
  })
})

describe('while an installation is prepared, and until Fitter quits', () => {
  /** An installer that is as slow as the test wants, with what it has prepared. */
  async function openSlow() {
    const asked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const log: string[] = []
    const { updates, download } = openUpdates({
      installer: {
        async prepare() {
          log.push('prepare')
          asked.resolve()
          await release.promise
        },
        discard: () => void log.push('discard'),
        installNow: () => Promise.resolve(void log.push('install'))
      }
    })
    await updates.check()
    await download()
    return { updates, log, asked: asked.promise, release: release.resolve }
  }

  it('“Later” is honoured, whatever else happens in that time', async () => {
    const { updates, log, asked, release } = await openSlow()
    const installing = updates.install()
    await asked
    expect(updates.later().phase).toBe('ready')
    await updates.check()
    updates.reasonsChanged()
    release()
    expect(await installing).toMatchObject({ phase: 'ready', problem: null })
    expect([log, updates.mayInstall(), updates.notices()]).toEqual([['prepare', 'discard'], false, []])
    // Pressed again later, it is prepared anew.
    expect((await updates.install()).phase).toBe('installing')
    expect([log, updates.mayInstall()]).toEqual([['prepare', 'discard', 'prepare'], true])
  })

  it.each([
    ['was stopped', feedContent({ stagingPercentage: 0 })],
    ['was withdrawn for the installed version', feedContent({ version: '2.4.0' })],
    ['was replaced by another one', feedContent({ version: '2.6.0' })]
  ])('a version whose roll-out %s is not installed', async (_name, next) => {
    for (const isPrepared of [false, true]) {
      server.publish()
      rmSync(folder, { recursive: true })
      const { updates, log, asked, release } = await openSlow()
      const installing = updates.install()
      await asked
      if (isPrepared) release()
      if (isPrepared) expect((await installing).phase).toBe('installing')
      server.publish({ ...next, signedAt: new Date(Date.now() + 1_000).toISOString() })
      await updates.check()
      release()
      if (!isPrepared)
        await expect(installing).rejects.toMatchObject({ code: 'CONFLICT', sentence: { id: 'updates.nothingOffered' } })
      expect([log, updates.mayInstall()]).toEqual([['prepare', 'discard'], false])
      expect(updates.state().phase).toMatch(/current|available/)
      await updates.stop()
    }
  })

  it('a version that is still offered stays prepared when the feed is read again, or cannot be read', async () => {
    const { updates, log, release } = await openSlow()
    release()
    await updates.install()
    server.publish(feedContent({ signedAt: new Date(Date.now() + 1_000).toISOString() }))
    expect(await updates.check()).toMatchObject({ phase: 'installing', problem: null })
    server.answers.set(feedPath, (response) => response.destroy())
    expect(await updates.check()).toMatchObject({ phase: 'installing', problem: { id: 'updates.interrupted' } })
    expect([log, updates.mayInstall()]).toEqual([['prepare'], true])
  })

  it('Fitter that quits meanwhile leaves nothing prepared', async () => {
    const { updates, log, asked, release } = await openSlow()
    const installing = updates.install()
    await asked
    const stopped = updates.stop()
    release()
    await Promise.all([stopped, installing.catch(() => undefined)])
    expect([log, updates.mayInstall()]).toEqual([['prepare', 'discard'], false])
  })
})

describe('a link that somebody puts where Fitter will write', () => {
  it('is never followed, neither for a download, nor for the notes about feeds, nor for the copy of the running program', async () => {
    const target = join(folder, 'target')
    const program = join(folder, 'Fitter.AppImage')
    writeFileSync(target, 'mine')
    writeFileSync(program, 'running')
    mkdirSync(join(folder, '2.5.0'))
    mkdirSync(join(folder, '2.4.0'))
    const { updates, download } = openUpdates({
      installer: { program, prepare: () => Promise.resolve(), installNow: () => Promise.resolve() }
    })
    symlinkSync(target, join(folder, 'updates.json.part'))
    await updates.check()
    symlinkSync(target, join(folder, '2.5.0', `${ownPackage}.part`))
    expect((await download()).phase).toBe('ready')
    symlinkSync(target, join(folder, '2.4.0', 'Fitter-2.4.0.AppImage.part'))
    expect((await updates.install()).phase).toBe('installing')
    expect(readFileSync(target, 'utf8')).toBe('mine')
    expect(
      [
        join(folder, 'updates.json'),
        join(folder, '2.5.0', ownPackage),
        join(folder, '2.4.0', 'Fitter-2.4.0.AppImage')
      ].map((file) => lstatSync(file).isFile())
    ).toEqual([true, true, true])
    expect(readFileSync(join(folder, '2.4.0', 'Fitter-2.4.0.AppImage'), 'utf8')).toBe('running')
  })
})

/** Each is signed with the right key, unless its row is about the signature. */
const tamperedFeeds: { name: string; problem: string; feed: (server: FeedServer) => object | Buffer }[] = [
  {
    name: 'no signature',
    problem: 'unsigned',
    feed: ({ privateKey }) =>
      Buffer.from(
        writeFeed(feedContent(), privateKey)
          .toString()
          .replace(/# signature.*\n/, '')
      )
  },
  {
    name: 'signature of another key',
    problem: 'signature',
    feed: () => writeFeed(feedContent(), generateKeyPairSync('ed25519').privateKey)
  },
  {
    name: 'a byte changed after signing',
    problem: 'signature',
    feed: ({ privateKey }) => Buffer.from(writeFeed(feedContent(), privateKey).toString().replace('"2.5.0"', '"2.6.0"'))
  },
  { name: 'older version', problem: 'older', feed: () => feedContent({ version: '2.3.9' }) },
  {
    name: 'older version by its pre-release',
    problem: 'channel',
    feed: () => feedContent({ version: '2.4.0-beta.1' })
  },
  { name: 'other channel', problem: 'channel', feed: () => feedContent({ channel: 'beta' }) },
  { name: 'a version of the other channel', problem: 'channel', feed: () => feedContent({ version: '2.5.0-beta.1' }) },
  ...[
    '../Fitter-2.5.0-linux-x86_64.AppImage',
    '/tmp/Fitter-2.5.0-linux-x86_64.AppImage',
    '..\\Fitter-2.5.0-linux-x86_64.AppImage',
    'https://elsewhere.example/Fitter-2.5.0-linux-x86_64.AppImage',
    '//elsewhere.example/Fitter-2.5.0-linux-x86_64.AppImage',
    'file:///tmp/Fitter-2.5.0-linux-x86_64.AppImage',
    'data:text/plain,Fitter-2.5.0-linux-x86_64.AppImage',
    '%2e%2e/Fitter-2.5.0-linux-x86_64.AppImage'
  ].map((url) => ({
    name: `file name ${url}`,
    problem: 'fileName',
    feed: () => feedContent({ files: [fileOf(packageBytes, url)] })
  })),
  {
    name: 'huge package',
    problem: 'huge',
    feed: () => feedContent({ files: [{ ...fileOf(packageBytes, ownPackage), size: 900_000_000_000 }] })
  },
  {
    name: 'package for other computers only',
    problem: 'noPackage',
    feed: () => feedContent({ files: [fileOf(packageBytes, 'Fitter-2.5.0-setup-x64.exe')] })
  },
  { name: 'not YAML', problem: 'yaml', feed: ({ privateKey }) => signText('{ this: is [ not\n', privateKey) },
  {
    name: 'duplicate keys',
    problem: 'yaml',
    feed: ({ privateKey }) => signText(`${plain(privateKey)}version: "2.6.0"\n`, privateKey)
  },
  {
    name: 'aliases of aliases',
    problem: 'aliases',
    feed: ({ privateKey }) => signText(`${plain(privateKey)}${bomb()}`, privateKey)
  },
  {
    name: 'huge YAML',
    problem: 'hugeFeed',
    feed: ({ privateKey }) => signText(`${plain(privateKey)}more: "${'x'.repeat(100_000)}"\n`, privateKey)
  },
  { name: 'other product', problem: 'product', feed: () => feedContent({ product: 'Filter' }) },
  { name: 'version that is not semver', problem: 'version', feed: () => feedContent({ version: '2.5' }) },
  { name: 'no hash', problem: 'form', feed: () => feedContent({ files: [{ url: ownPackage, size: 5 }] }) },
  {
    name: 'very old feed',
    problem: 'old',
    feed: () => feedContent({ signedAt: new Date(Date.now() - 500 * day).toISOString() })
  },
  {
    name: 'feed of the future',
    problem: 'ahead',
    feed: () => feedContent({ signedAt: new Date(Date.now() + 5 * day).toISOString() })
  }
]

function plain(key: FeedServer['privateKey']): string {
  return writeFeed(feedContent(), key)
    .toString()
    .replace(/# signature.*\n/, '')
}

/** Ten levels of ten: ten thousand million values. */
function bomb(): string {
  return (
    [
      'a0: &a0 [x, x, x]',
      ...Array.from(
        { length: 9 },
        (_, level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`).join(', ')}]`
      )
    ].join('\n') + '\n'
  )
}

describe('a tampered feed is refused before a byte of the package is downloaded', () => {
  it.each(tamperedFeeds)('$name', async ({ problem, feed }) => {
    server.publish(feed(server))
    const { updates } = openUpdates()
    const state = await updates.check()
    expect(state.problem?.id).toBe(`updates.refused.${problem}`)
    expect([state.phase, state.offer]).toEqual(['idle', null])
    expect(() => updates.download()).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
    expect(server.requests).toEqual([feedPath])
  })

  it('a feed that is older than the last one, also after a restart', async () => {
    const old = writeFeed(
      feedContent({ version: '2.4.9', signedAt: new Date(Date.now() - day).toISOString() }),
      server.privateKey
    )
    await openUpdates().updates.check()
    server.publish(old)
    expect((await openUpdates().updates.check()).problem?.id).toBe('updates.refused.replayed')
  })

  it('the same version is not offered', async () => {
    server.publish(feedContent({ version: '2.4.0' }))
    const { updates } = openUpdates()
    expect(await updates.check()).toMatchObject({ phase: 'current', offer: null, problem: null })
    expect(() => updates.download()).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
  })

  it.each([
    [
      'slow',
      (change: FeedServer) =>
        change.answers.set(feedPath, (response) => void response.writeHead(200).write('product: ')),
      'updates.tooSlow'
    ],
    ['missing', (change: FeedServer) => change.answers.delete(feedPath), 'updates.notFound'],
    [
      'missing, said with a page',
      (change: FeedServer) =>
        change.answers.set(feedPath, (response) =>
          response.writeHead(404, { 'Content-Type': 'text/html' }).end('<html>Not found</html>')
        ),
      'updates.notFound'
    ],
    [
      'behind a firewall',
      (change: FeedServer) =>
        change.answers.set(feedPath, (response) =>
          response.writeHead(403, { 'Content-Type': 'text/html' }).end('<html>Blocked</html>')
        ),
      'updates.pageInstead'
    ],
    [
      'behind a check for browsers',
      (change: FeedServer) =>
        change.answers.set(feedPath, (response) => response.writeHead(403, { 'cf-mitigated': 'challenge' }).end()),
      'updates.pageInstead'
    ],
    [
      'a sign-in page of the network',
      (change: FeedServer) =>
        change.answers.set(feedPath, (response) =>
          response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Welcome</html>')
        ),
      'updates.pageInstead'
    ],
    [
      'a page that does not say so',
      (change: FeedServer) => change.publish(Buffer.from('<!DOCTYPE html><html>Welcome</html>')),
      'updates.pageInstead'
    ],
    [
      'at a proxy that wants a password',
      (change: FeedServer) => change.answers.set(feedPath, (response) => response.writeHead(407).end()),
      'updates.proxyAsks'
    ],
    [
      'on a server under maintenance',
      (change: FeedServer) => change.answers.set(feedPath, (response) => response.writeHead(503).end()),
      'updates.notNow'
    ],
    [
      'interrupted',
      (change: FeedServer) =>
        change.answers.set(feedPath, (response) =>
          response.writeHead(200, { 'Content-Length': 5_000 }).write('product: ', () => response.destroy())
        ),
      'updates.interrupted'
    ]
  ])('a feed that is %s', async (_name, break_, problem) => {
    break_(server)
    expect((await openUpdates({ limits: limits({ silentMs: 200 }) }).updates.check()).problem?.id).toBe(problem)
  })

  it('a server with a certificate that this computer does not trust, as behind a company that inspects connections, microsoft/vscode#30871', async () => {
    const other = await startFeedServer()
    stops.push(() => other.stop())
    const { updates } = openUpdates({ source: { ...server.source, feed: other.feed } })
    expect((await updates.check()).problem?.id).toBe('team.certificate')
    expect(other.requests).toEqual([])
  })

  it.each<[string, Parameters<typeof startFeedServer>[0], string]>([
    ['only TLS 1.1', old('TLSv1.1'), 'internet.oldTls'],
    ['only TLS 1.0', old('TLSv1'), 'internet.oldTls'],
    [
      'no cipher of today',
      { secure: { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA256:@SECLEVEL=0' } },
      'internet.noCommonCipher'
    ],
    [
      'a certificate that has expired, electron-userland/electron-builder#1760',
      { until: new Date('2021-01-01T00:00:00Z') },
      'teamWay.certificateTime'
    ]
  ])('a server with %s', async (_, how, problem) => {
    const other = await startFeedServer(how)
    stops.push(() => other.stop())
    const { updates } = openUpdates({ source: other.source, connect: (url, given) => other.ways.connect(url, given) })
    expect((await updates.check()).problem).toMatchObject({ id: problem, values: { host: new URL(other.feed).host } })
    expect(other.requests).toEqual([])
  })

  it('a server that does not encrypt', async () => {
    const other = await startFeedServer({ isSecure: false })
    stops.push(() => other.stop())
    const feed = other.feed.replace('http:', 'https:')
    expect((await openUpdates({ source: { ...other.source, feed } }).updates.check()).problem?.id).toBe(
      'internet.notEncrypted'
    )
  })

  it.each(['http://feed.example/', 'file:///srv/feed/', 'https://user:word@feed.example/', 'feed'])(
    'the address %s',
    async (feed) => {
      expect((await openUpdates({ source: { ...server.source, feed } }).updates.check()).problem?.id).toBe(
        'updates.feedAddress'
      )
    }
  )
})

/** Another server on this computer, without encryption. */
async function startOther() {
  const requests: string[] = []
  const other = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.end(packageBytes)
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  stops.push(() => new Promise((resolve) => other.close(resolve)))
  return { port: (other.address() as AddressInfo).port, requests }
}

const changed = Buffer.from(packageBytes)
changed[1_000] = changed[1_000] === 0 ? 1 : 0

const tamperedPackages: {
  name: string
  problem: string
  limits?: Partial<FetchLimits>
  answer: (server: FeedServer) => FeedServer['answers'] extends Map<string, infer Answer> ? Answer : never
}[] = [
  { name: 'wrong hash', problem: 'updates.refused.hash', answer: ({ send }) => send(changed) },
  {
    name: 'size that differs',
    problem: 'updates.refused.size',
    answer: ({ send }) => send(packageBytes.subarray(0, 100_000))
  },
  {
    name: 'another size is told, and nothing more',
    problem: 'updates.refused.size',
    answer: () => (response) => response.writeHead(200, { 'Content-Length': packageBytes.length + 1 }).flushHeaders()
  },
  {
    name: 'size that differs, and is not told',
    problem: 'updates.refused.size',
    answer: () => (response) => void response.writeHead(200).end(packageBytes.subarray(0, 100_000))
  },
  {
    name: 'interrupted',
    problem: 'updates.interrupted',
    answer: () => (response) =>
      void response
        .writeHead(200, { 'Content-Length': packageBytes.length })
        .write(packageBytes.subarray(0, 100_000), () => response.destroy())
  },
  {
    name: 'endless',
    problem: 'updates.refused.endless',
    answer: () => (response) => {
      response.writeHead(200)
      const more = (): void => void (response.destroyed || response.write(packageBytes, more))
      more()
    }
  },
  {
    name: 'silent',
    problem: 'updates.tooSlow',
    limits: { silentMs: 200 },
    answer: () => (response) =>
      void response.writeHead(200, { 'Content-Length': packageBytes.length }).write(packageBytes.subarray(0, 10))
  },
  {
    name: 'slow, but never silent',
    problem: 'updates.tooSlow',
    limits: { packageMs: 400 },
    answer: () => (response) => {
      response.writeHead(200, { 'Content-Length': packageBytes.length })
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    }
  }
]

describe('a tampered package is deleted and never installed', () => {
  async function expectRefused(problem: string, change: Partial<FetchLimits> = {}): Promise<void> {
    const { updates, download } = openUpdates({ limits: limits(change) })
    await updates.check()
    const state = await download()
    expect(state.problem?.id).toBe(problem)
    expect(state.phase).toBe('available')
    expect(listFiles()).toEqual([])
    await expect(updates.install()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect([prepared, updates.mayInstall()]).toEqual([[], false])
  }

  it.each(tamperedPackages)('$name', async ({ problem, limits: change, answer }) => {
    server.answers.set(packagePath, answer(server))
    await expectRefused(problem, change)
  })

  it.each(['to http', 'to another host'])('redirect %s', async (kind) => {
    const other = await startOther()
    const elsewhere = await startFeedServer()
    stops.push(() => elsewhere.stop())
    const location = kind === 'to http' ? `http://127.0.0.1:${other.port}/` : `${elsewhere.feed}${ownPackage}`
    server.answers.set(packagePath, (response) => void response.writeHead(302, { Location: location }).end())
    await expectRefused('updates.refused.redirect')
    expect([other.requests, elsewhere.requests]).toEqual([[], []])
  })

  it.runIf(existsSync('/sys/kernel'))('a disk that cannot be written is no lost connection', async () => {
    const { updates, download } = openUpdates()
    await updates.check()
    // Nobody, not even root, makes a file there.
    symlinkSync('/sys/kernel', join(folder, '2.5.0'))
    expect(await download()).toMatchObject({
      phase: 'available',
      problem: { id: 'updates.notWritten', values: { why: expect.stringMatching(/^E(ACCES|PERM|ROFS)$/) as string } }
    })
  })

  it('a file that was changed on the disk after the download', async () => {
    const { updates, download } = openUpdates()
    await updates.check()
    await download()
    const path = join(folder, '2.5.0', ownPackage)
    writeFileSync(path, changed)
    await expect(updates.install()).rejects.toMatchObject({ sentence: { id: 'updates.refused.hash' } })
    expect([prepared, existsSync(path), updates.state().phase]).toEqual([[], false, 'available'])
  })

  it('a package that the platform does not accept', async () => {
    const faults: unknown[] = []
    const { updates, download } = openUpdates({
      installer: {
        prepare: () => Promise.reject(new Error('Not signed by the publisher.')),
        installNow: () => Promise.resolve()
      },
      reportFault: (error) => faults.push(error)
    })
    await updates.check()
    await download()
    await expect(updates.install()).rejects.toMatchObject({ sentence: { id: 'updates.refused.platform' } })
    expect([faults.length, updates.mayInstall()]).toEqual([1, false])
  })
})
