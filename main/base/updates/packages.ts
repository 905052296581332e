import { createHash, randomInt } from 'node:crypto'
import { constants, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { updateChannel } from '../../../preload/contract/app/updates.ts'
import { packageName, type FeedFile } from './feedForm.ts'
import { parseVersion } from './versions.ts'

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
      rmSync(`${file}.part`, { force: true })
      writeFileSync(`${file}.part`, JSON.stringify(state), { mode: 0o600, flag: 'wx' })
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
        return parsed && parsed.compare(own) < 0 && packageOf(version) !== undefined ? [{ version, parsed }] : []
      })
      const [latest] = older.sort((one, other) => other.parsed.compare(one.parsed))
      return latest === undefined ? null : { version: latest.version, file: packageOf(latest.version) ?? '' }
    },
    /** Keeps the running program, where it is one file, before it is replaced. */
    async keepRunning(version: string, program: string): Promise<void> {
      if (packageOf(version) !== undefined) return
      const target = path.join(folder, version, `Fitter-${version}${path.extname(program)}`)
      mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
      await copyAnew(program, `${target}.part`)
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

/** Whether a file has the size and the hash of the feed now. A link is none. */
export async function isWhole(file: string, { size, sha512 }: FeedFile): Promise<boolean> {
  try {
    const handle = await open(file, constants.O_RDONLY | noFollow)
    try {
      const stat = await handle.stat()
      return stat.isFile() && stat.size === size && (await hashOf(handle)) === sha512
    } finally {
      await handle.close()
    }
  } catch {
    return false
  }
}

/** Windows has no such flag; there only an administrator may make links. */
const noFollow = (constants.O_NOFOLLOW as number | undefined) ?? 0

async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha512')
  for await (const piece of piecesOf(handle)) hash.update(piece)
  return hash.digest('base64')
}

/** The bytes of an open file from its beginning; each piece is valid until the next one. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(1024 * 1024)
  for (let at = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/**
 * Copies to a file that is new: what is there already, also a link, is removed and never written through. The mode is
 * set and the result is judged by the open file, not by its name. Throws if it differs from `whole`; then nothing is
 * left.
 */
export async function copyAnew(
  from: string,
  to: string,
  { mode = 0o600, whole }: { mode?: number; whole?: FeedFile } = {}
): Promise<void> {
  rmSync(to, { force: true })
  const source = await open(from, constants.O_RDONLY)
  try {
    const target = await open(to, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow, 0o600)
    try {
      for await (const piece of piecesOf(source)) await target.writeFile(piece)
      const { size } = await target.stat()
      if (whole && (size !== whole.size || (await hashOf(target)) !== whole.sha512))
        throw new Error('The copy differs from the package.')
      await target.chmod(mode)
      await target.sync()
    } catch (error) {
      rmSync(to, { force: true })
      throw error
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
