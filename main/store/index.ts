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
import { createDeviceProfileStore, type DeviceProfileStore } from './deviceProfiles.ts'
import { createDiagnosisCaseStore, type DiagnosisCaseStore } from './diagnosisCases.ts'
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
import { createTeamCopyStore, type TeamCopyStore } from './team/teamCopies.ts'
import { createTeamHoldingStore, type TeamHoldingStore } from './team/teamHolding.ts'
import { createTeamPushStore, type TeamPushStore } from './team/teamPush.ts'
import { createTemplateStore, type TemplateStore } from './jobs/templates.ts'
import { createWaitingStore, type WaitingStore } from './work/waiting.ts'

export interface Store {
  readonly file: string
  readonly schema: number
  readonly settings: SettingsStore
  readonly jobs: JobStore
  readonly attachments: AttachmentStore
  readonly operations: OperationStore
  readonly knownDevices: KnownDevices
  readonly deviceWrites: DeviceWriteStore
  /** Settings of devices, saved under a name. */
  readonly deviceProfiles: DeviceProfileStore
  readonly diagnosisCases: DiagnosisCaseStore
  readonly copies: GatewayCopyStore
  readonly waiting: WaitingStore
  readonly outputLedger: OutputLedgerStore
  readonly maps: MapStore
  readonly numbers: NumbersStore
  readonly templates: TemplateStore
  readonly sealKeys: SealKeyStore
  readonly snapshots: SnapshotStore
  readonly exercises: ExerciseStore
  readonly handovers: HandoverStore
  readonly backupPlace: BackupPlace
  readonly teamPush: TeamPushStore
  readonly teamAcknowledged: TeamAcknowledgedStore
  readonly teamAssigned: TeamAssignedStore
  readonly teamEarlier: TeamEarlierStore
  /** Copies of other laptops' jobs, for work without the team log. */
  readonly teamCopies: TeamCopyStore
  readonly teamHolding: TeamHoldingStore
  readonly teamForks: TeamForkStore
  /** Runs `work` in one transaction across all tables. It may run twice; the first run is then undone. */
  together<T>(work: () => T): T
  readonly disk: Disk
  /** Checks everything in a separate thread; with `newest`, only the logs of the newest jobs. */
  check(options?: WorkOptions & { newest?: number }): Promise<DataCheck>
  /** The number of jobs of a filter by each value; uncached counts are computed in a separate thread. */
  jobFacets(filter: JobFilter, options?: WorkOptions): Promise<JobFacets>
  /** Statistics, computed in a separate thread. */
  readNumbers(filter: NumbersFilter, options?: WorkOptions): Promise<Omit<WorkNumbers, 'building'>>
  /** Adds jobs that ended before statistics existed; returns their number. */
  buildNumbers(options?: WorkOptions): Promise<number>
  readonly opening: Opening
  /** Why it is read-only; null when it can be written to. */
  readonly readOnly: Message | null
  /** Losses found when the folder was opened that nobody has read yet. */
  losses(): Message[]
  /** All losses ever found, newest first, and who has read them. */
  lossRecords(): LossRecord[]
  /** A person has read it: the notice disappears and stays in the history. */
  acknowledgeLoss(key: number, by: string): void
  readonly damagedJobs: DamagedJobStore
  /** Damaged files that were set aside, newest first. */
  putAside(): PutAside[]
  /** Writes one file with everything, including pictures. */
  backup(file: string, options?: WorkOptions): Promise<void>
  /** Makes a backup in a folder: below the data folder, or on another disk. */
  keepGeneration(wish: { folder: string; at: Date; withPictures: boolean }, options?: WorkOptions): Promise<MadeGeneration>
  /** The backups in some folders, each newest first; null for a missing folder. */
  generations(folders: string[]): Promise<(Generation[] | null)[]>
  /** The contents of some files; null for one that is not Fitter's or unreadable. */
  lookInto(files: string[]): Promise<(FileContent | null)[]>
  sizes(options?: WorkOptions): Promise<FolderSizes>
  /** Removes picture files that nothing names and nothing can need any more; returns what was removed. */
  removeOrphans(options?: WorkOptions): Promise<{ files: number; sizeBytes: number }>
  close(): void
}

/** Opens the data folder for this process. DATA_LOCKED when another uses it, DATA_UNUSABLE when it cannot be written. */
export function openStore(folder: string): Store {
  const ballast = openBallast(folder)
  try {
    return storeOn(openDataFile(folder, { ballast }), folder, { how: 'asIs' })
  } catch (error) {
    // Work that was started there before can still be finished.
    if (!isDiskFull(error) || !ballast.giveUp()) throw error
    return storeOn(openDataFile(folder, { ballast }), folder, { how: 'asIs' })
  }
}

/** Opens the folder in any state: damaged ones are repaired aside, unwritable ones read-only. DATA_LOCKED or DATA_UNUSABLE. */
export async function openFolder(folder: string, options?: OpeningOptions): Promise<Store> {
  const { data, opening } = await openData(folder, options)
  return storeOn(data, folder, opening)
}

/** Opens a data folder that this process created, read-only. */
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
    deviceProfiles: createDeviceProfileStore(data),
    diagnosisCases: createDiagnosisCaseStore(data),
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
    teamCopies: createTeamCopyStore(data),
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
