import type { Notice } from '../../../preload/contract/app/app.ts'
import type {
  DataCheckResult,
  DataContent,
  DataProgress,
  DataSource,
  DataStatus,
  DataWorkState
} from '../../../preload/contract/app/dataFolder.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { prepareRestore, type Incoming } from '../store/backups/copies.ts'
import type { MadeGeneration } from '../store/backups/copyWork.ts'
import { backupsFolderIn, type Generation } from '../store/backups/generations.ts'
import type { Store } from '../store/index.ts'
import type { WorkOptions } from '../store/file/inWorker.ts'
import { isDue } from '../store/backups/rotation.ts'
import path from 'node:path'
import { elsewhereIn, fileMeant, isPutAside, makeCopyFolder } from './backupFiles.ts'

export interface BackupsOptions {
  store: Store
  dataFolder: string
  events: Teller
  /** The number of newest jobs that are checked soon after the start. */
  quicklyChecked: number
  /** Makes backups automatically while it runs. */
  background: boolean
  now?: () => Date
  noticesChanged(): void
  reportFault(error: unknown): void
}

export type Backups = ReturnType<typeof createBackups>

/** Nothing competes with the start; then the newest jobs are checked, and a backup is made if due. */
const firstAfterMs = 15_000
const lookEveryMs = 3_600_000

/** The data of this computer: size, health and backups. */
export function createBackups(options: BackupsOptions) {
  const { store, dataFolder, events } = options
  const now = options.now ?? (() => new Date())
  let work: DataWorkState | null = null
  let ended: DataProgress['ended'] = null
  let running: { stopping: AbortController; done: Promise<void> } | undefined
  let lastCheck: DataCheckResult | null = null
  let problem: Message | null = null
  let elsewhereProblem: Message | null = null
  let pickedFile: string | undefined
  const timers = options.background
    ? [setTimeout(() => void lookAround(), firstAfterMs), setInterval(() => void lookAround(), lookEveryMs)]
    : []
  for (const timer of timers) timer.unref()

  function tell(): void {
    events.tell('data.changed', { work, ended })
  }

  function begin(kind: DataWorkState['kind'], run: (watched: WorkOptions) => Promise<Message>): void {
    if (running) throw new AppError('REFUSED', message('backups.busy'))
    const stopping = new AbortController()
    work = { kind, done: 0, total: 0 }
    ended = null
    const progress = (done: number, total: number): void => {
      work = { kind, done, total }
      tell()
    }
    const done = run({ signal: stopping.signal, progress }).then(
      (sentence) => void (ended = { ok: true, sentence }),
      (error: unknown) => {
        if (!(error instanceof AppError)) options.reportFault(error)
        ended = {
          ok: false,
          sentence:
            error instanceof AppError
              ? error.code === 'CANCELLED'
                ? message('backups.stopped')
                : error.sentence
              : message('app.fault')
        }
      }
    )
    running = { stopping, done: done.then(end) }
    tell()
  }

  function end(): void {
    running = undefined
    work = null
    tell()
    options.noticesChanged()
  }

  async function look(watched: WorkOptions, newest?: number): Promise<DataCheckResult> {
    const { ok, findings, jobs, orphans } = await store.check({
      ...watched,
      ...(newest === undefined ? {} : { newest })
    })
    lastCheck = { at: now().toISOString(), isWhole: newest === undefined, ok, findings, jobs, orphans: orphans ?? null }
    return lastCheck
  }

  async function makeCopies(watched: WorkOptions): Promise<Message> {
    const at = now()
    const here = await store.keepGeneration({ folder: backupsFolderIn(dataFolder), at, withPictures: false }, watched)
    problem = sayMade(here)
    const chosen = store.backupPlace.get()
    if (chosen !== null) {
      const there = await store
        .keepGeneration({ folder: elsewhereIn(chosen), at, withPictures: true }, watched)
        .catch((error: unknown) => {
          if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
          return error
        })
      elsewhereProblem = there instanceof AppError ? there.sentence : sayMade(there, chosen)
    }
    const trouble = problem ?? elsewhereProblem
    if (trouble) throw new AppError('DATA_UNUSABLE', trouble)
    return message('backups.made')
  }

  /** Soon after the start and every hour: both are short when there is nothing to do. */
  async function lookAround(): Promise<void> {
    if (running) return
    try {
      const copies = await generations()
      const isTime =
        isDue(copies.here, now().getTime()) || (copies.elsewhere !== null && isDue(copies.elsewhere, now().getTime()))
      if (running || (lastCheck && !isTime)) return
      begin('check', async (watched) => {
        const { ok } = lastCheck ?? (await look(watched, options.quicklyChecked))
        if (isTime) {
          work = { kind: 'backUp', done: 0, total: 0 }
          await makeCopies({
            ...watched,
            progress: (done, total) => {
              work = { kind: 'backUp', done, total }
              tell()
            }
          })
        }
        return message(!ok ? 'backups.found' : isTime ? 'backups.made' : 'store.intact')
      })
    } catch (error) {
      options.reportFault(error)
    }
  }

  async function generations(): Promise<{ here: Generation[]; elsewhere: Generation[] | null; folder: string | null }> {
    const folder = store.backupPlace.get()
    const [here, elsewhere] = await store.generations([
      backupsFolderIn(dataFolder),
      ...(folder === null ? [] : [elsewhereIn(folder)])
    ])
    return { here: here ?? [], elsewhere: elsewhere ?? null, folder }
  }

  async function content(from: DataSource, file: string): Promise<DataContent> {
    const [meant, present] = await store.lookInto([file, store.file])
    if (!meant || !present) throw new AppError('INVALID_REQUEST', message('store.backupNotIntact'))
    return {
      from,
      name: path.basename(file),
      madeAt: meant.madeAt,
      jobs: meant.jobs,
      jobsNow: present.jobs,
      newestAt: meant.newestAt || null,
      newestNowAt: present.newestAt || null,
      openOperations: meant.openOperations
    }
  }

  const fileOf = (from: DataSource): string =>
    fileMeant(from, { dataFolder, elsewhere: store.backupPlace.get(), picked: pickedFile })

  return {
    async status(): Promise<Omit<DataStatus, 'chosenBy'>> {
      const [{ putAside, ...sizes }, copies] = await Promise.all([store.sizes(), generations()])
      const backups = [
        ...copies.here.map((one) => ({ ...one, place: 'here' as const })),
        ...(copies.elsewhere ?? []).map((one) => ({ ...one, place: 'elsewhere' as const }))
      ].map(({ file, madeAt, sizeBytes, mark, place }) => ({
        id: path.basename(file),
        place,
        madeAt,
        sizeBytes,
        jobs: mark?.jobs ?? null,
        state: !mark ? ('unreadable' as const) : mark.findings > 0 ? ('damaged' as const) : ('good' as const)
      }))
      const notThere =
        copies.folder !== null && copies.elsewhere === null
          ? message('backups.notThere', { folder: copies.folder })
          : null
      return {
        work,
        ended,
        folder: dataFolder,
        jobs: store.jobs.page({ limit: 1 }).total,
        ...sizes,
        putAside: putAside.map((one) => ({ ...one, mayRestore: isPutAside(one.name) })),
        backups: backups.toSorted((a, b) => b.madeAt.localeCompare(a.madeAt)),
        problem,
        elsewhere: copies.folder === null ? null : { folder: copies.folder, problem: notThere ?? elsewhereProblem },
        lastCheck
      }
    },
    /** These start a task and report its end; only one runs at a time. */
    check: () =>
      begin('check', async (watched) => message((await look(watched)).ok ? 'store.intact' : 'backups.found')),
    backUp: () => begin('backUp', makeCopies),
    saveCopy: (file: string) =>
      begin('saveCopy', async (watched) => {
        await store.backup(file, watched)
        return message('store.backupWritten', { file })
      }),
    /** Prepares a file to replace the present one, then calls `ready`. */
    restore(from: DataSource, ready: (incoming: Incoming) => Promise<void>): void {
      const file = fileOf(from)
      begin('restore', async (watched) => {
        const incoming = await prepareRestore(dataFolder, file, watched)
        // This core closes now: the next one reports the result.
        queueMicrotask(() => void ready(incoming).catch(options.reportFault))
        return message('backups.opening')
      })
    },
    stopWork: () => running?.stopping.abort(),
    /** The person's choice in the system's dialog; its path stays here. */
    picked(file: string): Promise<DataContent> {
      pickedFile = file
      return content({ kind: 'picked' }, file)
    },
    look: (from: DataSource): Promise<DataContent> => content(from, fileOf(from)),
    async removeOrphans(): Promise<{ files: number; sizeBytes: number }> {
      const removed = await store.removeOrphans()
      if (lastCheck) lastCheck = { ...lastCheck, orphans: null }
      return removed
    },
    async choosePlace(folder: string): Promise<void> {
      await makeCopyFolder(folder, dataFolder)
      store.backupPlace.set(folder)
      elsewhereProblem = null
    },
    forgetPlace(): void {
      store.backupPlace.set(null)
      elsewhereProblem = null
    },
    /** The notice about missing backups. */
    notices: (): Notice[] =>
      [problem, elsewhereProblem].flatMap((one, index) =>
        one
          ? [
              {
                id: `backups-${index === 0 ? 'here' : 'elsewhere'}`,
                level: 'warn' as const,
                text: message('backups.notMade'),
                remedy: one
              }
            ]
          : []
      ),
    async stop(): Promise<void> {
      for (const timer of timers) clearTimeout(timer)
      running?.stopping.abort()
      await running?.done
    }
  }
}

/** Why there is no new backup; null when there is one. */
function sayMade(made: MadeGeneration, folder = ''): Message | null {
  switch (made.kind) {
    case 'made':
      return made.generation.mark && made.generation.mark.findings > 0 ? message('backups.ofDamaged') : null
    case 'noRoom':
      return message('backups.noRoom', { needBytes: made.needBytes, freeBytes: made.freeBytes })
    case 'notThere':
      return message('backups.notThere', { folder })
  }
}
