import type { Message } from '../../../preload/contract/messages.ts'
import type { JobFacets } from '../../../preload/contract/job/jobLog.ts'
import type { NumbersFilter, WorkNumbers } from '../../../preload/contract/job/numbers.ts'
import { createAttachmentStore } from './jobs/attachments.ts'
import { createAttemptStore } from './work/attempts.ts'
import { createDamagedJobStore } from './damage/damagedJobs.ts'
import { openReservedSpace } from './file/reservedSpace.ts'
import { openDataFile, type DataFile } from './file/database.ts'
import { isDiskFull } from './file/errors.ts'
import { createLossStore, type LossRecord } from './damage/losses.ts'
import { openData, type Opening, type OpeningOptions } from './file/opening.ts'
import { openToRead, readOnlySentences, type ReadOnlyReason } from './file/readOnly.ts'
import { markSuspect } from './damage/lookOver.ts'
import { listPutAside, type PutAside } from './damage/putAside.ts'
import { isWhole, readFacets } from './jobs/jobFacets.ts'
import type { JobFilter } from './jobs/jobFilter.ts'
import { createGatewayCopyStore } from './gatewayCopies.ts'
import { createHandoverStore } from './jobs/handovers.ts'
import { createExerciseStore } from './jobs/exercises.ts'
import { createJobStore } from './jobs/jobs.ts'
import { createDeviceWriteStore } from './work/deviceWrites.ts'
import { createDeviceProfileStore } from './deviceProfiles.ts'
import { createDiagnosisCaseStore } from './diagnosisCases.ts'
import { createKnownDevices } from './knownDevices.ts'
import type { DataCheck } from './damage/checkDataFile.ts'
import { backupData, keepGeneration } from './backups/copies.ts'
import type { FileContent, MadeGeneration } from './backups/copyWork.ts'
import type { FolderSizes } from './file/folderSizes.ts'
import { createBackupPlace, type Generation } from './backups/generations.ts'
import { inWorker, type WorkOptions } from './file/inWorker.ts'
import { createNumbersStore } from './jobs/jobNumbers.ts'
import { createMapStore } from './maps.ts'
import { createReportFontStore } from './reportFont.ts'
import { migrations } from './file/migrationList.ts'
import { createOutputLedgerStore } from './work/outputLedger.ts'
import { createOperationStore } from './work/operations.ts'
import { createSealKeyStore } from './jobs/sealKeys.ts'
import { createSettingsStore } from './settings.ts'
import { createSnapshotStore } from './jobs/snapshots.ts'
import { createTeamAcknowledgedStore } from './team/teamAcknowledged.ts'
import { createTeamAssignedStore } from './team/teamAssigned.ts'
import { createTeamEarlierStore } from './team/teamEarlier.ts'
import { createTeamForkStore } from './team/teamForks.ts'
import { createTeamCopyStore } from './team/teamCopies.ts'
import { createTeamHoldingStore } from './team/teamHolding.ts'
import { createTeamPushStore } from './team/teamPush.ts'
import { createTemplateStore } from './jobs/templateStore.ts'
import { createWaitingStore } from './work/waiting.ts'

export type Store = ReturnType<typeof storeOn>

/**
 * Opens the data folder for this process. DATA_LOCKED when another uses it, DATA_UNUSABLE when it cannot be written.
 */
export function openStore(folder: string): Store {
  const reserved = openReservedSpace(folder)
  try {
    return storeOn(openDataFile(folder, { reserved }), folder, { how: 'asIs' })
  } catch (error) {
    // Work that was started there before can still be finished.
    if (!isDiskFull(error) || !reserved.giveUp()) throw error
    return storeOn(openDataFile(folder, { reserved }), folder, { how: 'asIs' })
  }
}

/**
 * Opens the folder in any state: damaged ones are repaired aside, unwritable ones read-only. DATA_LOCKED or
 * DATA_UNUSABLE.
 */
export async function openFolder(folder: string, options?: OpeningOptions): Promise<Store> {
  const { data, opening } = await openData(folder, options)
  return storeOn(data, folder, opening)
}

/** Opens a data folder that this process created, read-only. */
export function openFolderToLook(folder: string, why: ReadOnlyReason): Store {
  const data = openToRead(folder, why)
  return storeOn(data, folder, { how: 'readOnly', why, sentence: readOnlySentences[why] })
}

function storeOn(data: DataFile, folder: string, opening: Opening) {
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
    reportFont: createReportFontStore(data),
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
    /** Copies of other laptops' jobs, for work without the team log. */
    teamCopies: createTeamCopyStore(data),
    teamHolding: createTeamHoldingStore(data),
    teamForks: createTeamForkStore(data),
    /** Runs `work` in one transaction across all tables. It may run twice; the first run is then undone. */
    together: <T>(work: () => T): T => data.write(work),
    disk: data.disk,
    /** Checks everything in a separate thread; with `newest`, only the logs of the newest jobs. */
    async check({ newest, ...options }: WorkOptions & { newest?: number } = {}): Promise<DataCheck> {
      const result = await inWorker(
        { task: 'check', file: data.file, ...(newest === undefined ? {} : { newest }) },
        options
      )
      if (result.findings.some(({ id }) => id === 'store.fileDamaged')) markSuspect(folder)
      return result
    },
    /** The number of jobs of a filter by each value; uncached counts are computed in a separate thread. */
    jobFacets: async (filter: JobFilter, options?: WorkOptions): Promise<JobFacets> =>
      isWhole(filter)
        ? readFacets((text) => data.prepare(text), filter)
        : inWorker({ task: 'facets', file: data.file, filter }, options),
    /** Statistics, computed in a separate thread. */
    readNumbers: (filter: NumbersFilter, options?: WorkOptions): Promise<Omit<WorkNumbers, 'building'>> =>
      inWorker({ task: 'numbers', file: data.file, filter }, options),
    /** Adds jobs that ended before statistics existed; returns their number. */
    buildNumbers: async (options?: WorkOptions): Promise<number> =>
      data.readOnly ? 0 : inWorker({ task: 'buildNumbers', file: data.file }, options),
    opening,
    /** Why it is read-only; null when it can be written to. */
    readOnly: data.readOnly,
    /** Losses found when the folder was opened that nobody has read yet. */
    losses: (): Message[] => losses.unread(),
    /** All losses ever found, newest first, and who has read them. */
    lossRecords: (): LossRecord[] => losses.all(),
    /** A person has read it: the notice disappears and stays in the history. */
    acknowledgeLoss: (key: number, by: string) => losses.acknowledge(key, by),
    damagedJobs: createDamagedJobStore(data),
    /** Damaged files that were set aside, newest first. */
    putAside: (): PutAside[] => listPutAside(folder),
    /** Writes one file with everything, including pictures. */
    backup: (file: string, options?: WorkOptions) => backupData(data.file, file, options),
    /** Makes a backup in a folder: below the data folder, or on another disk. */
    keepGeneration: (
      wish: { folder: string; at: Date; withPictures: boolean },
      options?: WorkOptions
    ): Promise<MadeGeneration> => keepGeneration(data.file, wish, options),
    /** The backups in some folders, each newest first; null for a missing folder. */
    generations: (folders: string[]): Promise<(Generation[] | null)[]> => inWorker({ task: 'generations', folders }),
    /** The contents of some files; null for one that is not Fitter's or unreadable. */
    lookInto: (files: string[]): Promise<(FileContent | null)[]> => inWorker({ task: 'lookInto', files }),
    sizes: (options?: WorkOptions): Promise<FolderSizes> => inWorker({ task: 'sizes', file: data.file }, options),
    /** Removes picture files that nothing names and nothing can need any more; returns what was removed. */
    removeOrphans: (options?: WorkOptions): Promise<{ files: number; sizeBytes: number }> =>
      inWorker({ task: 'removeOrphans', file: data.file }, options),
    close: () => data.close()
  }
}
