import { createAttemptStore } from './attempts.ts'
import { openDataFile } from './database.ts'
import { createJobStore, type JobStore } from './jobs.ts'
import { createDeviceWriteStore, type DeviceWriteStore } from './deviceWrites.ts'
import { createKnownDevices, type KnownDevices } from './knownDevices.ts'
import { checkData, type DataCheck } from './check.ts'
import { backupData } from './copies.ts'
import { createOutputLedgerStore, type OutputLedgerStore } from './outputLedger.ts'
import { createOperationStore, type OperationStore } from './operations.ts'
import { createSettingsStore, type SettingsStore } from './settings.ts'
import { createVehicleStore, type VehicleStore } from './vehicles.ts'

export interface Store {
  readonly file: string
  readonly settings: SettingsStore
  readonly jobs: JobStore
  readonly operations: OperationStore
  readonly knownDevices: KnownDevices
  readonly deviceWrites: DeviceWriteStore
  readonly vehicles: VehicleStore
  readonly outputLedger: OutputLedgerStore
  /** Runs `work` so that all that it writes, in whichever table, is kept or nothing is. */
  together<T>(work: () => T): T
  check(): DataCheck
  backup(file: string): Promise<void>
  close(): void
}

/**
 * Opens the data folder for this process alone. Throws AppError DATA_LOCKED when another process has it and
 * DATA_UNUSABLE when it cannot be written to, is full or is damaged.
 */
export function openStore(folder: string): Store {
  const data = openDataFile(folder)
  const jobs = createJobStore(data)
  const attempts = createAttemptStore(data)
  const operations = createOperationStore(data, attempts)
  return {
    file: data.file,
    settings: createSettingsStore(data),
    jobs,
    operations,
    knownDevices: createKnownDevices(data),
    deviceWrites: createDeviceWriteStore(data, attempts),
    vehicles: createVehicleStore(data),
    outputLedger: createOutputLedgerStore(data),
    together: (work) => data.write(work),
    check: () => checkData(data, jobs, operations),
    backup: (file) => backupData(data, file),
    close: () => data.close()
  }
}
