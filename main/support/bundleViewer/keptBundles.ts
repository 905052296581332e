import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { keptBundle, type KeptBundle } from '../../../preload/contract/support/openedBundle.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

const folderName = 'fitter.keptBundles'
const keptMs = 24 * 3_600_000
const most = 8

export type BundleSummary = Omit<KeptBundle, 'id' | 'until'>
type Place = Pick<KeptBundle, 'id'> & { file: string; note: string }

function placeOf(dataFolder: string, id: string): Place {
  const bare = path.join(dataFolder, folderName, id)
  return { id, file: `${bare}.bundle`, note: `${bare}.json` }
}

function remove({ file, note }: Place): void {
  for (const one of [file, note]) fs.rmSync(one, { force: true })
}

function read(dataFolder: string, id: string): KeptBundle | null {
  const { file, note } = placeOf(dataFolder, id)
  try {
    return fs.existsSync(file) ? keptBundle.parse(JSON.parse(fs.readFileSync(note, 'utf8'))) : null
  } catch (error) {
    // Cut off by a full disk, or damaged: the bundle cannot be named, so it is not offered.
    if (error instanceof SyntaxError || error instanceof z.ZodError || (error instanceof Error && 'code' in error))
      return null
    throw error
  }
}

/**
 * The bundles that were opened during the last 24 hours, newest first. Older ones, and what cannot be read, are
 * removed.
 */
export function listKeptBundles(dataFolder: string, now = new Date()): KeptBundle[] {
  const folder = path.join(dataFolder, folderName)
  if (!fs.existsSync(folder)) return []
  const ids = new Set(fs.readdirSync(folder).map((name) => path.parse(name).name))
  const all = [...ids].map((id) => ({ place: placeOf(dataFolder, id), bundle: read(dataFolder, id) }))
  const newestFirst = all.toSorted((a, b) => (b.bundle?.until ?? '').localeCompare(a.bundle?.until ?? ''))
  return newestFirst.flatMap(({ place, bundle }, index) => {
    if (bundle && index < most && Date.parse(bundle.until) > now.getTime()) return [bundle]
    remove(place)
    return []
  })
}

/**
 * Keeps a bundle that a person has closed: moves its file, and removes the folder in which it was alone. On a read-only
 * medium nothing is kept.
 */
export function keepBundle(
  dataFolder: string,
  id: string,
  file: string,
  summary: BundleSummary,
  now = new Date()
): void {
  const place = placeOf(dataFolder, id)
  try {
    fs.mkdirSync(path.dirname(place.file), { recursive: true, mode: 0o700 })
    if (file !== place.file) fs.renameSync(file, place.file)
    fs.writeFileSync(
      place.note,
      JSON.stringify({ ...summary, id, until: new Date(now.getTime() + keptMs).toISOString() } satisfies KeptBundle),
      { mode: 0o600 }
    )
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    remove(place)
  } finally {
    if (file !== place.file) fs.rmSync(path.dirname(file), { recursive: true, force: true })
  }
  setTimeout(() => listKeptBundles(dataFolder), keptMs + 1_000).unref()
  listKeptBundles(dataFolder, now)
}

/** The file of a kept bundle. NOT_FOUND when it is no longer kept. */
export function findKeptBundle(dataFolder: string, id: string): string {
  if (!listKeptBundles(dataFolder).some((one) => one.id === id))
    throw new AppError('NOT_FOUND', message('cab.noLongerKept'))
  return placeOf(dataFolder, id).file
}

export function forgetKeptBundle(dataFolder: string, id: string): void {
  if (listKeptBundles(dataFolder).some((one) => one.id === id)) remove(placeOf(dataFolder, id))
}
