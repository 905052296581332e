import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { feedFiles, publicOf, readUpdateKey, signFeedFile, signFeeds } from '../../../../bin/updateFeed.ts'
import { decide } from '../../../../main/base/updates/decide.ts'
import { readFeed } from '../../../../main/base/updates/feed.ts'
import { memoryFolder } from '../../../world/memoryFolder.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const source = { feed: '', keys: [{ name: 'Someone', publicKey: publicOf(privateKey) }] }
const asText = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
const sha512 = 'A'.repeat(86) + '=='

/** As electron-builder writes it. */
const written = `version: 2.5.0
files:
  - url: Fitter-2.5.0-setup-x64.exe
    sha512: ${sha512}
    size: 90000000
  - url: Fitter-2.5.0-setup-arm64.exe
    sha512: ${sha512}
    size: 91000000
path: Fitter-2.5.0-setup-x64.exe
sha512: ${sha512}
releaseDate: '2026-11-19T08:00:00.000Z'
`
const now = new Date('2026-11-20T09:00:00Z')
const rules = { keys: source.keys, channel: 'stable' as const, lastSignedAt: undefined, now }

describe('the key of the updates', () => {
  it('is missing in one sentence', () => {
    expect(readUpdateKey({}, source)).toBe(
      'The update feed is not signed, so no Fitter accepts it: set FITTER_UPDATE_KEY to the private key of the updates.'
    )
    expect(readUpdateKey({ FITTER_UPDATE_KEY: 'something' }, source)).toContain('does not contain a private key')
  })

  it('has to be the one of the build', () => {
    expect(readUpdateKey({ FITTER_UPDATE_KEY: asText }, { feed: '', keys: [] })).toContain(
      'does not name the public key'
    )
    expect(readUpdateKey({ FITTER_UPDATE_KEY: asText }, source)).toMatchObject({ asymmetricKeyType: 'ed25519' })
  })
})

describe('a feed file of electron-builder', () => {
  it('is accepted after it was signed, and each processor gets its own package', () => {
    const feed = readFeed(signFeedFile(written, 'latest.yml', privateKey, { now }), rules)
    expect(feed).toMatchObject({
      product: 'Fitter',
      version: '2.5.0',
      channel: 'stable',
      signedBy: 'Someone',
      stagingPercentage: 100,
      releaseDate: '2026-11-19T08:00:00.000Z'
    })
    const installation = { version: '2.4.0', os: 'windows' as const, pin: undefined, stagingNumber: 0 }
    expect(decide(feed, { ...installation, arch: 'arm64' })).toMatchObject({
      file: { url: 'Fitter-2.5.0-setup-arm64.exe', size: 91_000_000 }
    })
    expect(decide(feed, { ...installation, arch: 'x64' })).toMatchObject({
      file: { url: 'Fitter-2.5.0-setup-x64.exe' }
    })
  })

  it('can be signed again with another roll-out; news and files stay', () => {
    const news = { en: [{ name: 'Maps', text: 'open faster.' }], es: [] }
    const first = signFeedFile(written, 'latest.yml', privateKey, { now, news })
    const later = readFeed(signFeedFile(first.toString(), 'latest.yml', privateKey, { now, rollout: 20 }), rules)
    expect(later).toMatchObject({ stagingPercentage: 20, news })
    const installation = { version: '2.4.0', os: 'windows' as const, arch: 'x64' as const, pin: undefined }
    expect([19, 20].map((stagingNumber) => decide(later, { ...installation, stagingNumber }).kind)).toEqual([
      'offer',
      'notYet'
    ])
  })

  it('of a beta belongs to that channel', () => {
    const beta = signFeedFile(written.replace('2.5.0', '2.5.0-beta.1'), 'beta.yml', privateKey, { now })
    expect(readFeed(beta, { ...rules, channel: 'beta' })).toMatchObject({ channel: 'beta', version: '2.5.0-beta.1' })
    expect(() => readFeed(beta, rules)).toThrow()
  })
})

describe('the folder of packages', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(memoryFolder, 'fitter-feeds-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('keeps its feeds unsigned without a key', () => {
    for (const name of ['latest.yml', 'latest-linux.yml', 'builder-debug.yml'])
      writeFileSync(join(folder, name), written)
    expect(feedFiles(folder).sort()).toEqual([join(folder, 'latest-linux.yml'), join(folder, 'latest.yml')])
    expect(signFeeds(feedFiles(folder), {}, {})).toContain('FITTER_UPDATE_KEY')
    expect(readFileSync(join(folder, 'latest.yml'), 'utf8')).toBe(written)
  })
})
