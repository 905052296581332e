import { z } from 'zod'
import { accessoryTest } from './gateway/accessories.ts'
import { jobAttached } from './jobs/attachments.ts'
import { notice, workplace } from './app/app.ts'
import { bundleProgress } from './diagnosis/bundles.ts'
import { gatewayCopies } from './gateway/copies.ts'
import { dataProgress } from './app/data.ts'
import { sweepState, tableChange } from './device/discovery.ts'
import { eventLogState } from './vehicles/eventLog.ts'
import { gatewayStatus } from './gateway/gateway.ts'
import { connectionStep } from './app/internet.ts'
import { jobExport } from './jobs/jobLog.ts'
import { jobEntry, jobLines, jobStep, listedJob, liveStep } from './jobs/jobs.ts'
import { operationLine, syncResult } from './gateway/operations.ts'
import { ledgerEntry } from './device/outputs.ts'
import { settings } from './app/settings.ts'
import { snapshotProgress } from './diagnosis/snapshots.ts'
import { paused, storyNews } from './gateway/stories.ts'
import { teamWork } from './team/team.ts'
import { pulled, teamTaking } from './team/teamHolding.ts'
import { teamLive, teamNews } from './team/teamNews.ts'
import { trainingVehicle } from './app/training.ts'
import { vehicleCopy } from './vehicles/vehicles.ts'
import { run } from './device/workspace.ts'

/** Events go one way, from main to the front ends. A missed one is never needed: each has a call that gives the whole. */
export const events = {
  'accessories.test': accessoryTest,
  'app.notices': z.object({ notices: z.array(notice) }),
  'app.entered': z.object({ workplace }),
  /** How far a support bundle is that this or another window makes. */
  'bundles.progress': bundleProgress,
  'copies.changed': gatewayCopies,
  /** What is being done with the data of this computer, and how the last of it ended. */
  'data.changed': dataProgress,
  'discovery.changed': tableChange,
  'discovery.sweep': sweepState,
  /** How far the loading of a vehicle's events is, and what was found in them. */
  'eventLog.loaded': eventLogState,
  'gateway.changed': gatewayStatus,
  /** A step of the connection that a person tries; the whole is the answer of `internet.try`. */
  'internet.step': connectionStep,
  /** A job without its steps: its state, its counts, whether it is connected. */
  'jobs.state': listedJob,
  'jobs.step': jobStep,
  'jobs.entry': jobEntry,
  'jobs.live': liveStep,
  'jobs.lines': jobLines,
  'jobs.attached': jobAttached,
  'jobLog.export': jobExport,
  /** Another base map was chosen, or online maps were switched. */
  'maps.changed': z.object({}),
  'operations.changed': z.object({ operation: operationLine, counts: syncResult }),
  'operations.paused': z.object({ paused }),
  'operations.stories': storyNews,
  /** Everything that may be on: never many. */
  'outputs.changed': z.object({ outputs: z.array(ledgerEntry) }),
  /** Another window of the same Fitter changed them, or this one. */
  'settings.changed': settings,
  /** How far a snapshot is that somebody asked for. */
  'snapshots.progress': snapshotProgress,
  'team.changed': teamWork,
  'team.live': teamLive,
  /** Jobs of other laptops, while somebody looks at the team; an update of what a call gave. */
  'team.news': teamNews,
  /** Jobs came through the team log by themselves, or somebody else has taken them over. */
  'team.pulled': pulled.pick({ arrived: true, lost: true }),
  /** How far a take-over is that a person began, and how it ended. */
  'team.taking': teamTaking,
  'training.changed': z.object({ vehicles: z.array(trainingVehicle) }),
  'vehicles.copied': vehicleCopy,
  'workspace.run': run
} as const

export type Events = { [Name in keyof typeof events]: z.infer<(typeof events)[Name]> }
export type EventName = keyof Events
/** The way out for what a topic has to tell the front ends. */
export interface Teller {
  tell<Name extends EventName>(name: Name, payload: Events[Name]): void
}
