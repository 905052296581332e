import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js'
import {
  feedForm,
  feedProduct,
  signatureMark,
  signedPrefix,
  updateSource,
  type FeedContent,
  type UpdateSource
} from '../main/base/updates/feedForm.ts'
import { projectFolder } from './build.ts'

/** The private key of the updates: base64 of its PKCS #8 form, as `node bin/updateFeed.ts key` prints it. */
const keyVariable = 'FITTER_UPDATE_KEY'

/** The key in the environment, or the sentence that says what is missing. */
export function readUpdateKey(
  env: NodeJS.ProcessEnv = process.env,
  source: UpdateSource = readSource()
): KeyObject | string {
  const text = env[keyVariable] ?? ''
  if (text === '')
    return `The update feed is not signed, so no Fitter accepts it: set ${keyVariable} to the private key of the updates.`
  let key: KeyObject
  try {
    key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
  } catch {
    return `The update feed is not signed: ${keyVariable} does not contain a private key from "node bin/updateFeed.ts key NAME".`
  }
  if (!source.keys.some(({ publicKey }) => publicKey === publicOf(key)))
    return `The update feed is not signed: resources/updateSource.json does not name the public key of ${keyVariable}, so no Fitter would accept it.`
  return key
}

function readSource(): UpdateSource {
  return updateSource.parse(JSON.parse(readFileSync(join(projectFolder, 'resources', 'updateSource.json'), 'utf8')))
}

export function publicOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')
}

/** The bytes of a feed file with its signature in the last line. Each value is JSON, which is YAML too. */
export function writeFeed(content: object, key: KeyObject): Buffer {
  const text = `${Object.entries(content)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n')}\n`
  return signText(text, key)
}

export function signText(text: string, key: KeyObject): Buffer {
  return Buffer.from(`${text}${signatureMark}${sign(null, Buffer.from(signedPrefix + text), key).toString('base64')}\n`)
}

export interface FeedWish {
  /** Percent of the computers. */
  rollout?: number | undefined
  news?: FeedContent['news'] | undefined
  now?: Date
}

/**
 * A feed file as electron-builder wrote it, or one that was signed before, with today's date and the wished roll-out.
 */
export function signFeedFile(
  text: string,
  name: string,
  key: KeyObject,
  { rollout, news, now = new Date() }: FeedWish = {}
): Buffer {
  const before = parseUpdateInfo(text, name, new URL('https://feed.invalid/')) as unknown as Partial<FeedContent>
  const content = feedForm.parse({
    product: feedProduct,
    channel: basename(name).startsWith('beta') ? 'beta' : 'stable',
    version: before.version,
    releaseDate: new Date(before.releaseDate ?? now).toISOString(),
    signedAt: now.toISOString(),
    stagingPercentage: rollout ?? before.stagingPercentage ?? 100,
    files: before.files?.map(({ url, sha512, size }) => ({ url, sha512, size })),
    news: news ?? before.news
  })
  return writeFeed(content, key)
}

/** Signs every feed in the folder of packages. Returns the sentence that says why not. */
export function signFeeds(
  files: readonly string[],
  wish: FeedWish = {},
  env: NodeJS.ProcessEnv = process.env
): string | undefined {
  const key = readUpdateKey(env)
  if (typeof key === 'string') return key
  for (const file of files) writeFileSync(file, signFeedFile(readFileSync(file, 'utf8'), basename(file), key, wish))
  return undefined
}

/** The feed files that electron-builder wrote. */
export function feedFiles(folder: string = join(projectFolder, 'out', 'packages')): string[] {
  return globSync(['latest*.yml', 'beta*.yml'], { cwd: folder }).map((name) => join(folder, name))
}

function printKey(name: string): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  console.log(
    `Private key, for ${keyVariable}. Store it where only the release machine reads it:\n${privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')}\n`
  )
  console.log(
    `Public key, for "keys" in resources/updateSource.json:\n${JSON.stringify({ name, publicKey: publicOf(privateKey) })}`
  )
}

/** `node bin/updateFeed.ts key NAME`, `node bin/updateFeed.ts sign [FILE…] [--rollout PERCENT] [--news FILE]`. */
function main(args: string[]): number {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { rollout: { type: 'string' }, news: { type: 'string' } }
  })
  const [verb, ...names] = positionals
  if (verb === 'key' && names[0] !== undefined) {
    printKey(names.join(' '))
    return 0
  }
  if (verb !== 'sign') {
    console.error(
      'Use "node bin/updateFeed.ts key NAME" or "node bin/updateFeed.ts sign [FILE…] [--rollout PERCENT] [--news FILE]".'
    )
    return 2
  }
  const files = names.length > 0 ? names : feedFiles()
  const news =
    values.news === undefined ? undefined : feedForm.shape.news.parse(JSON.parse(readFileSync(values.news, 'utf8')))
  const missing = signFeeds(files, { rollout: values.rollout === undefined ? undefined : Number(values.rollout), news })
  if (missing !== undefined) console.error(missing)
  else for (const file of files) console.log(`Signed ${file}`)
  return missing === undefined ? 0 : 1
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2))
