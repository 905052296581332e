import { createHash, randomInt } from 'node:crypto'
import {
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { updateChannel } from '../../preload/contract/app/updates.ts'
import { packageName, type FeedFile } from './feedForm.ts'
import { compareVersions, parseVersion } from './versions.ts'

const remembered = z.object({
  stagingNumber: z.int().min(0).max(99),
  /** The date of the latest accepted feed of each channel: an older feed is refused. */
  lastSignedAt: z.partialRecord(updateChannel, z.iso.datetime()).default({}),
  checkedAt: z.iso.datetime().nullable().default(null),
  latest: z.string().nullable().default(null)
})
export type Remembered = z.infer<typeof remembered>

/** The folder of downloaded packages, one folder for each version, and what is remembered about feeds. */
export function createPackages(folder: string) {
  const file = path.join(folder, 'updates.json')
  let state = read()

  function read(): Remembered {
    try {
      return remembered.parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch {
      // Missing the first time. A damaged one costs the dates of earlier feeds; their versions are still compared.
      return { stagingNumber: randomInt(100), lastSignedAt: {}, checkedAt: null, latest: null }
    }
  }

  /** The only package in the folder of a version; undefined without one. */
  function packageOf(version: string): string | undefined {
    const [name] = entries(path.join(folder, version)).filter(
      (one) => packageName.safeParse(one).success && !one.endsWith('.part')
    )
    return name && path.join(folder, version, name)
  }

  return {
    remembered: (): Remembered => state,
    remember(change: Partial<Remembered>): void {
      state = { ...state, ...change }
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(`${file}.part`, JSON.stringify(state), { mode: 0o600 })
      renameSync(`${file}.part`, file)
    },
    pathFor(version: string, { url }: FeedFile): string {
      mkdirSync(path.join(folder, version), { recursive: true, mode: 0o700 })
      return path.join(folder, version, url)
    },
    packageOf,
    /** The package of the latest version before this one. */
    before(installed: string): { version: string; file: string } | null {
      const own = parseVersion(installed)
      if (own === undefined) return null
      const older = entries(folder).flatMap((version) => {
        const parsed = parseVersion(version)
        return parsed && compareVersions(parsed, own) < 0 && packageOf(version) !== undefined
          ? [{ version, parsed }]
          : []
      })
      const [latest] = older.sort((one, other) => compareVersions(other.parsed, one.parsed))
      return latest === undefined ? null : { version: latest.version, file: packageOf(latest.version) ?? '' }
    },
    /** Keeps the running program, where it is one file, before it is replaced. */
    async keepRunning(version: string, program: string): Promise<void> {
      if (packageOf(version) !== undefined) return
      const target = path.join(folder, version, `Fitter-${version}${path.extname(program)}`)
      mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
      await copyFile(program, `${target}.part`)
      renameSync(`${target}.part`, target)
    },
    /** Removes the packages of all other versions, and what interrupted downloads left. */
    keepOnly(versions: readonly (string | undefined)[]): void {
      for (const name of entries(folder)) {
        if (parseVersion(name) === undefined) continue
        const inside = path.join(folder, name)
        if (!versions.includes(name)) rmSync(inside, { recursive: true, force: true })
        else
          for (const part of entries(inside).filter((one) => one.endsWith('.part')))
            rmSync(path.join(inside, part), { force: true })
      }
    }
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether a file has the size and the hash of the feed now. */
export async function isWhole(file: string, { size, sha512 }: FeedFile): Promise<boolean> {
  try {
    if (statSync(file).size !== size) return false
    const hash = createHash('sha512')
    await pipeline(createReadStream(file), hash)
    return hash.digest('base64') === sha512
  } catch {
    return false
  }
}
