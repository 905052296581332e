import type Database from 'better-sqlite3'
import { start } from './0001-start.ts'
import { wholeLog } from './0002-whole-log.ts'
import { vehicles } from './0003-vehicles.ts'
import { deviceWrites } from './0004-device-writes.ts'
import { attempts } from './0005-attempts.ts'
import { jobColumns } from './0006-job-columns.ts'
import { outputLedger } from './0007-output-ledger.ts'
import { payloadHash } from './0008-payload-hash.ts'
import { jobFacets } from './0009-job-facets.ts'
import { attachments } from './0010-attachments.ts'
import { templates } from './0011-templates.ts'
import { numbers } from './0012-numbers.ts'
import { handovers } from './0013-handovers.ts'
import { attachmentFiles } from './0014-attachment-files.ts'
import { pausedWork } from './0015-paused-work.ts'
import { copies } from './0016-copies.ts'
import { damage } from './0017-damage.ts'
import { snapshots } from './0018-snapshots.ts'
import { snapshotsBegun } from './0019-snapshots-begun.ts'
import { teamPush } from './0020-team-push.ts'
import { teamAcknowledged } from './0021-team-acknowledged.ts'
import { teamAssigned } from './0022-team-assigned.ts'
import { teamEarlier } from './0023-team-earlier.ts'
import { teamKept } from './0024-team-kept.ts'
import { teamHolding } from './0025-team-holding.ts'
import { teamAsides } from './0026-team-asides.ts'
import { teamWaiting } from './0027-team-waiting.ts'

/** SQL, or a function for what goes row by row; both run in one transaction with the foreign keys off. */
export type Migration = string | ((sql: Database.Database, progress: (done: number, total: number) => void) => void)

/** In order; the position is the schema version. A migration that was released is never edited. */
export const migrations: readonly Migration[] = [start, wholeLog, vehicles, deviceWrites, attempts, jobColumns, outputLedger, payloadHash, jobFacets, attachments, templates, numbers, handovers, attachmentFiles, pausedWork, copies, damage, snapshots, snapshotsBegun, teamPush, teamAcknowledged, teamAssigned, teamEarlier, teamKept, teamHolding, teamAsides, teamWaiting]
