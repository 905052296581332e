import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../preload/contract/errors.ts'
import type { Handlers } from '../../preload/contract/index.ts'
import { message } from '../../preload/contract/messages.ts'
import type { BundleViewerCalls } from '../support/bundleViewer/handlers.ts'
import { makeBundleFolder, removeBundleFolders } from '../support/bundleViewer/folder.ts'
import {
  findKeptBundle,
  forgetKeptBundle,
  keepBundle,
  listKeptBundles,
  type BundleSummary
} from '../support/bundleViewer/keptBundles.ts'
import { createUploads } from '../support/bundleViewer/uploads.ts'
import { openBundle } from '../support/diagnosis/bundles/openBundle.ts'
import { bundleLimits } from '../support/diagnosis/bundles/format.ts'
import { createSequence } from '../base/time/sequence.ts'
import { showBundle, type OpenedBundleOptions, type OpenedBundle } from './openedBundle.ts'
import type { Core } from './core.ts'

export interface BundleDoorOptions extends Pick<OpenedBundleOptions, 'resourcesFolder' | 'frontEnd' | 'reportFault'> {
  /** The workplace behind it, which stays open and continues. */
  behind(): { core: Pick<Core, 'jobs' | 'outputs'>; handlers: Handlers; dataFolder: string }
  /** Every window reloads, because it shows something else. */
  entered(): void
  onRedactor(redact: (text: string) => string): void
}

export interface BundleDoor extends BundleViewerCalls {
  /** The host that answers while a bundle is shown; undefined when none is. */
  handlers(): Handlers | undefined
  close(): Promise<void>
}

const openingLimitMs = 50_000

/** A bundle replaces the workplace on screen, which stays open behind it: leaving restores everything. */
export function createBundleDoor(options: BundleDoorOptions): BundleDoor {
  let present: OpenedBundle | undefined
  /** The file of the present bundle, which is read while it is open, and what it is called afterwards. */
  let given: { id: string; file: string; summary: BundleSummary } | undefined
  const uploads = createUploads({
    makeFolder: () => makeBundleFolder(options.behind().dataFolder),
    mostBytes: bundleLimits.fileBytes,
    open: openUpload
  })
  const inTurn = createSequence()

  /** A person at work on a vehicle must see it: a bundle must not cover it. */
  function assertNobodyWorks(): void {
    const { jobs, outputs } = options.behind().core
    if (outputs.ledger().length > 0) throw new AppError('CONFLICT', message('cab.outputOn'), { retryable: true })
    if (jobs.hasOpen()) throw new AppError('CONFLICT', message('cab.jobRuns'), { retryable: true })
  }

  async function open(file: string, id: string): Promise<void> {
    assertNobodyWorks()
    const bundle = await openBundle(file, { signal: AbortSignal.timeout(openingLimitMs) })
    const next = await showBundle({
      ...options,
      dataFolder: options.behind().dataFolder,
      bundle,
      reader: () => options.behind().handlers,
      door
    })
    try {
      assertNobodyWorks()
    } catch (error) {
      await next.close()
      throw error
    }
    options.onRedactor(next.redact)
    await closePresent()
    const { manifest } = bundle
    const { jobId, imei, vehicleName } = manifest.subject
    given = {
      id,
      file,
      summary: {
        writtenAt: manifest.writtenAt,
        by: manifest.by,
        jobId,
        imei,
        vehicleName,
        sizeBytes: statSync(file).size
      }
    }
    present = next
    options.entered()
  }

  async function leaveNow(): Promise<void> {
    if (!present) return
    await closePresent()
    options.entered()
  }

  async function closePresent(): Promise<void> {
    const before = [present, given] as const
    present = given = undefined
    await before[0]?.close()
    if (!before[1]) return
    const { id, file, summary } = before[1]
    keepBundle(options.behind().dataFolder, id, file, summary)
  }

  async function openUpload(file: string): Promise<void> {
    try {
      await inTurn(() => open(file, randomBytes(6).toString('hex')))
    } catch (error) {
      await removeFolderOf(file)
      throw error
    }
  }

  const door: BundleViewerCalls = {
    add: (input) => uploads.add(input),
    drop: (upload) => uploads.drop(upload),
    leave: () => inTurn(leaveNow),
    list: () => listKeptBundles(options.behind().dataFolder),
    reopen: (id) => inTurn(() => open(findKeptBundle(options.behind().dataFolder, id), id)),
    forget: (id) => forgetKeptBundle(options.behind().dataFolder, id)
  }

  return {
    ...door,
    handlers: () => present?.handlers,
    async close() {
      await inTurn(closePresent)
      removeBundleFolders(options.behind().dataFolder)
    }
  }
}

function removeFolderOf(file: string): Promise<void> {
  return rm(path.dirname(file), { recursive: true, force: true })
}
