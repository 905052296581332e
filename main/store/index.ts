import type { Message } from '../../preload/contract/messages.ts'
import type { JobFacets } from '../../preload/contract/jobs/jobLog.ts'
import type { NumbersFilter, WorkNumbers } from '../../preload/contract/jobs/numbers.ts'
import { createAttachmentStore, type AttachmentStore } from './jobs/attachments.ts'
import { createAttemptStore } from './work/attempts.ts'
import { createDamagedJobStore, type DamagedJobStore } from './damage/damagedJobs.ts'
import { openBallast } from './file/ballast.ts'
import { openDataFile, type DataFile } from './file/database.ts'
import { isDiskFull } from './file/errors.ts'
import { createLossStore, type LossRecord } from './damage/losses.ts'
import { openData, type Opening, type OpeningOptions } from './file/opening.ts'
import { openToRead, readOnlySentences, type ReadOnlyReason } from './file/readOnly.ts'
import { markSuspect } from './damage/lookOver.ts'
import { listPutAside, type PutAside } from './damage/putAside.ts'
import type { Disk } from './file/disk.ts'
import { isWhole, readFacets } from './jobs/jobFacets.ts'
import type { JobFilter } from './jobs/jobFilter.ts'
import { createGatewayCopyStore, type GatewayCopyStore } from './gatewayCopies.ts'
import { createHandoverStore, type HandoverStore } from './jobs/handovers.ts'
import { createExerciseStore, type ExerciseStore } from './jobs/exercises.ts'
import { createJobStore, type JobStore } from './jobs/jobs.ts'
import { createDeviceWriteStore, type DeviceWriteStore } from './work/deviceWrites.ts'
import { createKnownDevices, type KnownDevices } from './knownDevices.ts'
import type { DataCheck } from './damage/check.ts'
import { createBackupPlace, type BackupPlace } from './backups/backupFolder.ts'
import { backupData, keepGeneration } from './backups/copies.ts'
import type { FileContent, MadeGeneration } from './backups/copyWork.ts'
import type { FolderSizes } from './file/folderSizes.ts'
import type { Generation } from './backups/generations.ts'
import { inWorker, type WorkOptions } from './file/inWorker.ts'
import { createNumbersStore, type NumbersStore } from './jobs/jobNumbers.ts'
import { createMapStore, type MapStore } from './maps.ts'
import type { Progress } from './file/migrate.ts'
import { migrations } from './file/migrations/index.ts'
import { createOutputLedgerStore, type OutputLedgerStore } from './work/outputLedger.ts'
import { createOperationStore, type OperationStore } from './work/operations.ts'
import { createSealKeyStore, type SealKeyStore } from './jobs/sealKeys.ts'
import { createSettingsStore, type SettingsStore } from './settings.ts'
import { createSnapshotStore, type SnapshotStore } from './jobs/snapshots.ts'
import { createTeamAcknowledgedStore, type TeamAcknowledgedStore } from './team/teamAcknowledged.ts'
import { createTeamAssignedStore, type TeamAssignedStore } from './team/teamAssigned.ts'
import { createTeamEarlierStore, type TeamEarlierStore } from './team/teamEarlier.ts'
import { createTeamForkStore, type TeamForkStore } from './team/teamForks.ts'
import { createTeamKeptStore, type TeamKeptStore } from './team/teamKept.ts'
import { createTeamHoldingStore, type TeamHoldingStore } from './team/teamHolding.ts'
import { createTeamPushStore, type TeamPushStore } from './team/teamPush.ts'
import { createTemplateStore, type TemplateStore } from './jobs/templates.ts'
import { createWaitingStore, type WaitingStore } from './work/waiting.ts'

export interface Store {
  readonly file: string
  /** Version of the form of the data file. */
  readonly schema: number
  readonly settings: SettingsStore
  readonly jobs: JobStore
  /** Pictures of jobs, by their hash. */
  readonly attachments: AttachmentStore
  readonly operations: OperationStore
  readonly knownDevices: KnownDevices
  readonly deviceWrites: DeviceWriteStore
  /** What the gateway had, for work without it. */
  readonly copies: GatewayCopyStore
  readonly waiting: WaitingStore
  readonly outputLedger: OutputLedgerStore
  readonly maps: MapStore
  readonly numbers: NumbersStore
  readonly templates: TemplateStore
  readonly sealKeys: SealKeyStore
  /** Everything that was read of a device at one time. */
  readonly snapshots: SnapshotStore
  readonly exercises: ExerciseStore
  /** Work that went to another laptop or came from one. */
  readonly handovers: HandoverStore
  readonly backupPlace: BackupPlace
  /** Who this laptop is in the team log, and what of its logs is there. */
  readonly teamPush: TeamPushStore
  readonly teamAcknowledged: TeamAcknowledgedStore
  /** Prepared jobs of the team log, kept for work without it. */
  readonly teamAssigned: TeamAssignedStore
  readonly teamEarlier: TeamEarlierStore
  /** Copies of what others did, for work without the team log. */
  readonly teamKept: TeamKeptStore
  /** What goes from here to another laptop through the team log, and what was taken over from here. */
  readonly teamHolding: TeamHoldingStore
  /** Logs that went on here otherwise than in the team log, and were set aside. */
  readonly teamForks: TeamForkStore
  /** Runs `work` so that all that it writes, in whichever table, is kept or nothing is. It may run twice, the first time undone. */
  together<T>(work: () => T): T
  /** How the disk takes what is written. */
  readonly disk: Disk
  /** Looks everything over, in a thread of its own; with `newest`, only the logs of the newest jobs. */
  check(options?: WorkOptions & { newest?: number }): Promise<DataCheck>
  /** How many jobs of a filter there are of each kind; what is not kept is counted in a thread of its own. */
  jobFacets(filter: JobFilter, options?: WorkOptions): Promise<JobFacets>
  /** What the work took, added up in a thread of its own. */
  readNumbers(filter: NumbersFilter, options?: WorkOptions): Promise<Omit<WorkNumbers, 'building'>>
  /** Takes up jobs that ended before numbers were kept; how many there were. */
  buildNumbers(options?: WorkOptions): Promise<number>
  /** How the data folder was opened. */
  readonly opening: Opening
  /** Why it can only be looked at; null when it can be written to. */
  readonly readOnly: Message | null
  /** What was found missing when the folder was opened, and was not read by anybody yet. */
  losses(): Message[]
  /** Everything that was ever found missing, newest first, and who has read it. */
  lossRecords(): LossRecord[]
  /** A person has read it: it is no notice any more, and stays in the history. */
  acknowledgeLoss(key: number, by: string): void
  /** Jobs whose logs are not whole. */
  readonly damagedJobs: DamagedJobStore
  /** Damaged files that were put aside, newest first. */
  putAside(): PutAside[]
  /** Writes one file with everything in it, pictures too. */
  backup(file: string, options?: WorkOptions): Promise<void>
  /** Makes a copy among those that are kept in a folder: below the data folder, or on another disk. */
  keepGeneration(wish: { folder: string; at: Date; withPictures: boolean }, options?: WorkOptions): Promise<MadeGeneration>
  /** The kept copies in some folders, each newest first; null where a folder is not there. */
  generations(folders: string[]): Promise<(Generation[] | null)[]>
  /** What some files hold; null for one that is none of ours or cannot be read. */
  lookInto(files: string[]): Promise<(FileContent | null)[]>
  sizes(options?: WorkOptions): Promise<FolderSizes>
  /** Removes files of pictures that nothing names and nothing can need any more; what was removed. */
  removeOrphans(options?: WorkOptions): Promise<{ files: number; sizeBytes: number }>
  close(): void
}

/**
 * Opens the data folder for this process alone. Throws AppError DATA_LOCKED when another process has it and
 * DATA_UNUSABLE when it cannot be written to, is full or is damaged.
 */
export function openStore(folder: string, progress?: Progress): Store {
  const ballast = openBallast(folder)
  try {
    return storeOn(openDataFile(folder, { progress, ballast }), folder, { how: 'asIs' })
  } catch (error) {
    // What was begun there before can still be finished.
    if (!isDiskFull(error) || !ballast.giveUp()) throw error
    return storeOn(openDataFile(folder, { progress, ballast }), folder, { how: 'asIs' })
  }
}

/**
 * Opens the data folder for this process alone, whatever state its file is in: a damaged one is put aside and what can be
 * read is brought over, one that cannot be written to is only looked at. Throws AppError DATA_LOCKED, and DATA_UNUSABLE
 * when nothing can be opened there.
 */
export async function openFolder(folder: string, options?: OpeningOptions): Promise<Store> {
  const { data, opening } = await openData(folder, options)
  return storeOn(data, folder, opening)
}

/** Opens a data folder of this process' own making to be looked at. */
export function openFolderToLook(folder: string, why: ReadOnlyReason): Store {
  const data = openToRead(folder, why)
  return storeOn(data, folder, { how: 'readOnly', why, sentence: readOnlySentences[why] })
}

function storeOn(data: DataFile, folder: string, opening: Opening): Store {
  const losses = createLossStore(data)
  const jobs = createJobStore(data)
  const attempts = createAttemptStore(data)
  const operations = createOperationStore(data, attempts)
  return {
    file: data.file,
    schema: migrations.length,
    settings: createSettingsStore(data),
    jobs,
    attachments: createAttachmentStore(data),
    operations,
    knownDevices: createKnownDevices(data),
    deviceWrites: createDeviceWriteStore(data, attempts),
    copies: createGatewayCopyStore(data),
    waiting: createWaitingStore(data),
    outputLedger: createOutputLedgerStore(data),
    maps: createMapStore(data),
    numbers: createNumbersStore(data),
    templates: createTemplateStore(data),
    sealKeys: createSealKeyStore(data),
    snapshots: createSnapshotStore(data),
    exercises: createExerciseStore(data),
    handovers: createHandoverStore(data, { operations, attempts }),
    backupPlace: createBackupPlace(data),
    teamPush: createTeamPushStore(data),
    teamAcknowledged: createTeamAcknowledgedStore(data),
    teamAssigned: createTeamAssignedStore(data),
    teamEarlier: createTeamEarlierStore(data),
    teamKept: createTeamKeptStore(data),
    teamHolding: createTeamHoldingStore(data),
    teamForks: createTeamForkStore(data),
    together: (work) => data.write(work),
    disk: data.disk,
    async check({ newest, ...options } = {}) {
      const result = await inWorker({ task: 'check', file: data.file, ...(newest === undefined ? {} : { newest }) }, options)
      if (result.findings.some(({ id }) => id === 'store.fileDamaged')) markSuspect(folder)
      return result
    },
    jobFacets: async (filter, options) => (isWhole(filter) ? readFacets((text) => data.prepare(text), filter) : inWorker({ task: 'facets', file: data.file, filter }, options)),
    readNumbers: (filter, options) => inWorker({ task: 'numbers', file: data.file, filter }, options),
    buildNumbers: async (options) => (data.readOnly ? 0 : inWorker({ task: 'buildNumbers', file: data.file }, options)),
    opening,
    readOnly: data.readOnly,
    losses: () => losses.unread(),
    lossRecords: () => losses.all(),
    acknowledgeLoss: (key, by) => losses.acknowledge(key, by),
    damagedJobs: createDamagedJobStore(data),
    putAside: () => listPutAside(folder),
    backup: (file, options) => backupData(data.file, file, options),
    keepGeneration: (wish, options) => keepGeneration(data.file, wish, options),
    generations: (folders) => inWorker({ task: 'generations', folders }),
    lookInto: (files) => inWorker({ task: 'lookInto', files }),
    sizes: (options) => inWorker({ task: 'sizes', file: data.file }, options),
    removeOrphans: (options) => inWorker({ task: 'removeOrphans', file: data.file }, options),
    close: () => data.close()
  }
}
