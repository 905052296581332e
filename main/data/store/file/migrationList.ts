import type Database from 'better-sqlite3'
import { start } from './migrations/0001-start.ts'
import { wholeLog } from './migrations/0002-whole-log.ts'
import { vehicles } from './migrations/0003-vehicles.ts'
import { deviceWrites } from './migrations/0004-device-writes.ts'
import { attempts } from './migrations/0005-attempts.ts'
import { jobColumns } from './migrations/0006-job-columns.ts'
import { outputLedger } from './migrations/0007-output-ledger.ts'
import { payloadHash } from './migrations/0008-payload-hash.ts'
import { jobFacets } from './migrations/0009-job-facets.ts'
import { attachments } from './migrations/0010-attachments.ts'
import { templates } from './migrations/0011-templates.ts'
import { numbers } from './migrations/0012-numbers.ts'
import { handovers } from './migrations/0013-handovers.ts'
import { attachmentFiles } from './migrations/0014-attachment-files.ts'
import { pausedWork } from './migrations/0015-paused-work.ts'
import { copies } from './migrations/0016-copies.ts'
import { damage } from './migrations/0017-damage.ts'
import { snapshots } from './migrations/0018-snapshots.ts'
import { snapshotsBegun } from './migrations/0019-snapshots-begun.ts'
import { teamPush } from './migrations/0020-team-push.ts'
import { teamAcknowledged } from './migrations/0021-team-acknowledged.ts'
import { teamAssigned } from './migrations/0022-team-assigned.ts'
import { teamEarlier } from './migrations/0023-team-earlier.ts'
import { teamKept } from './migrations/0024-team-kept.ts'
import { teamHolding } from './migrations/0025-team-holding.ts'
import { teamAsides } from './migrations/0026-team-asides.ts'
import { teamWaiting } from './migrations/0027-team-waiting.ts'
import { teamTakingWhy } from './migrations/0028-team-taking-why.ts'
import { diagnosisCases } from './migrations/0029-diagnosis-cases.ts'
import { deviceProfiles, profilePlans } from './migrations/0030-device-profiles.ts'
import type { Progress } from './progress.ts'

/** SQL, or a function for changes row by row; both run in one transaction without foreign keys. */
export type Migration = string | ((sql: Database.Database, progress: Progress) => void)

/** In order; the position is the schema version. A released migration is never edited. */
export const migrations: readonly Migration[] = [
  start,
  wholeLog,
  vehicles,
  deviceWrites,
  attempts,
  jobColumns,
  outputLedger,
  payloadHash,
  jobFacets,
  attachments,
  templates,
  numbers,
  handovers,
  attachmentFiles,
  pausedWork,
  copies,
  damage,
  snapshots,
  snapshotsBegun,
  teamPush,
  teamAcknowledged,
  teamAssigned,
  teamEarlier,
  teamKept,
  teamHolding,
  teamAsides,
  teamWaiting,
  teamTakingWhy,
  diagnosisCases,
  deviceProfiles,
  profilePlans
]
