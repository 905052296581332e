import { start } from './0001-start.ts'
import { wholeLog } from './0002-whole-log.ts'
import { vehicles } from './0003-vehicles.ts'
import { deviceWrites } from './0004-device-writes.ts'
import { attempts } from './0005-attempts.ts'
import { outputLedger } from './0007-output-ledger.ts'

/** In order; the position is the schema version. A migration that was released is never edited. */
export const migrations: readonly string[] = [start, wholeLog, vehicles, deviceWrites, attempts, outputLedger]
