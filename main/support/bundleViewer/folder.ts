import fs from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { readJob, summariseJob } from '../../job/jobs/record/journal.ts'
import { readSnapshot, writeSnapshot } from '../diagnosis/snapshots/fileForm.ts'
import { rowOf } from '../diagnosis/snapshots/row.ts'
import { openFolderToLook, openStore, type Store } from '../../data/store/index.ts'
import { createAnswers } from './bundleAnswers.ts'
import type { CabBundle } from './bundle.ts'
import { listKeptBundles } from './keptBundles.ts'

const folderName = 'fitter.cab'

/**
 * Removes what an open bundle left behind when Fitter was closed, and kept bundles whose time is over. The caller must
 * hold the data folder.
 */
export function removeBundleFolders(dataFolder: string): void {
  const folder = path.join(dataFolder, folderName)
  // A folder on a read-only medium has none.
  if (fs.existsSync(folder)) fs.rmSync(folder, { recursive: true, force: true })
  listKeptBundles(dataFolder)
}

/** A private folder for an opened bundle's files: in the data folder, or temporary if that is read-only. */
export function makeBundleFolder(dataFolder: string): string {
  try {
    const folder = path.join(dataFolder, folderName, randomBytes(6).toString('hex'))
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return fs.mkdtempSync(path.join(tmpdir(), 'fitter-look-'))
  }
}

/**
 * Writes the job of a bundle into a separate data folder and opens it. INVALID_REQUEST if the log does not form a job.
 */
export async function openBundleFolder(folder: string, bundle: CabBundle): Promise<Store> {
  const store = openStore(folder)
  try {
    await fill(store, bundle)
  } finally {
    store.close()
  }
  return openFolderToLook(folder, 'bundle')
}

async function fill(store: Store, bundle: CabBundle): Promise<void> {
  const { subject, writtenAt } = bundle.manifest
  const entries = await bundle.entries()
  const jobId = subject.jobId !== null && entries.length > 0 ? subject.jobId : null
  if (jobId !== null) {
    store.jobs.adopt(jobId, entries, summaryOf(jobId, entries))
    for (const { sha256 } of bundle.photos) {
      const { bytes, mediaType } = await bundle.photo(sha256)
      const file = await store.attachments.write(bytes)
      store.attachments.keep({ jobId, file, mediaType, at: writtenAt })
    }
  }
  const tolerances = createAnswers(await bundle.answers()).find('diagnosis.tolerances')?.tolerances ?? []
  // The limits that the writer used for evidence.
  store.settings.change({
    tolerances: Object.fromEntries(
      tolerances.filter(({ value, standard }) => value !== standard).map(({ id, value }) => [id, value])
    )
  })
  for (const file of await bundle.snapshots()) {
    const text = `${JSON.stringify(file, null, 1)}\n`
    const read = readSnapshot(text)
    // The part has another version or form: the rest of the bundle is still shown.
    if (read.outcome !== 'read') continue
    // A bundle about a device or a vehicle contains the snapshots of its jobs, but not the jobs.
    const snapshot = { ...read.snapshot, jobId: null }
    store.snapshots.keep(
      read.snapshot.jobId === jobId ? rowOf(read.snapshot, text) : rowOf(snapshot, writeSnapshot(snapshot))
    )
  }
  const { device } = bundle
  if (device?.imei) {
    store.knownDevices.remember({
      imei: device.imei,
      model: device.model,
      label: device.label,
      lastSeenAt: device.lastSeenAt ?? writtenAt,
      ...(device.lastVehicle === null ? {} : { lastVehicle: device.lastVehicle }),
      ...(device.address === null ? {} : { lastAddress: device.address })
    })
  }
}

function summaryOf(id: string, entries: Awaited<ReturnType<CabBundle['entries']>>) {
  for (const state of ['whole', 'damaged'] as const) {
    try {
      return summariseJob(readJob(id, entries, state))
    } catch (cause) {
      // A log that cannot even be read as a damaged log is not a log.
      if (state === 'damaged') throw new AppError('INVALID_REQUEST', message('cab.noJob'), { cause })
    }
  }
  throw new AppError('INVALID_REQUEST', message('cab.noJob'))
}
