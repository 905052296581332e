import { z } from 'zod'
import { accessoryTest } from './gateway/accessories.ts'
import { entryPlace, logEntry } from './app/activity.ts'
import { jobAttached } from './job/attachments.ts'
import { notice, workplace } from './app/app.ts'
import { bundleProgress } from './support/bundles.ts'
import { gatewayCopies } from './gateway/copies.ts'
import { dataProgress } from './app/dataFolder.ts'
import { profilePlan, profileRun } from './device/deviceProfiles.ts'
import { sweepState, tableChange } from './device/discovery.ts'
import { eventLogState } from './gateway/vehicles/eventLog.ts'
import { gatewayStatus } from './gateway/gateway.ts'
import { connectionStep } from './app/internet.ts'
import { jobExport } from './job/jobLog.ts'
import { jobEntry, jobLines, jobStep, listedJob, liveStep } from './job/jobs.ts'
import { operationLine, syncResult } from './gateway/operations.ts'
import { ledgerEntry } from './device/outputs.ts'
import { settings } from './app/settings.ts'
import { snapshotProgress } from './support/snapshots.ts'
import { paused, storyNews } from './gateway/stories.ts'
import { teamWork } from './team/team.ts'
import { pulled, teamTaking } from './team/teamHolding.ts'
import { teamLive, teamNews } from './team/teamNews.ts'
import { trainingVehicle } from './app/training.ts'
import { updatesState } from './app/updates.ts'
import { vehicleCopy } from './gateway/vehicles/vehicles.ts'
import { run } from './device/workspace.ts'

/**
 * Events go one way, from main to the front ends. Missing one is harmless: each has a call that returns the complete
 * state.
 */
export const events = {
  'accessories.test': accessoryTest,
  /** Something happened that a person may have missed. */
  'activity.added': z.object({ entry: logEntry }),
  /** The log has new entries; `activity.log` returns them. */
  'activity.logged': z.object({}),
  'activity.open': z.object({ place: entryPlace }),
  'app.notices': z.object({ notices: z.array(notice) }),
  'app.entered': z.object({ workplace }),
  'bundles.progress': bundleProgress,
  'copies.changed': gatewayCopies,
  'data.changed': dataProgress,
  'deviceProfiles.plans': z.object({ plans: z.array(profilePlan) }),
  /** A profile that is being applied to a device. */
  'deviceProfiles.run': profileRun,
  'discovery.changed': tableChange,
  'discovery.sweep': sweepState,
  'eventLog.loaded': eventLogState,
  'gateway.changed': gatewayStatus,
  /** A step of the connection test; `internet.try` returns the complete result. */
  'internet.step': connectionStep,
  /** A job without its steps: its state, its counts, whether it is connected. */
  'jobs.state': listedJob,
  'jobs.step': jobStep,
  'jobs.entry': jobEntry,
  'jobs.live': liveStep,
  'jobs.lines': jobLines,
  'jobs.attached': jobAttached,
  'jobLog.export': jobExport,
  'maps.changed': z.object({}),
  'operations.changed': z.object({ operation: operationLine, counts: syncResult }),
  'operations.paused': z.object({ paused }),
  'operations.stories': storyNews,
  /** All outputs that may be on; there are never many. */
  'outputs.changed': z.object({ outputs: z.array(ledgerEntry) }),
  'settings.changed': settings,
  'snapshots.progress': snapshotProgress,
  'team.changed': teamWork,
  'team.live': teamLive,
  /** Changed jobs of other laptops, while a window shows the team. */
  'team.news': teamNews,
  /** Jobs arrived through the team log automatically, or someone else took some over. */
  'team.pulled': pulled.pick({ arrived: true, lost: true }),
  'team.taking': teamTaking,
  'training.changed': z.object({ vehicles: z.array(trainingVehicle) }),
  /** A new version of Fitter was found, is being downloaded, or can be installed now. */
  'updates.changed': updatesState,
  'vehicles.copied': vehicleCopy,
  'workspace.run': run
} as const

export type Events = { [Name in keyof typeof events]: z.infer<(typeof events)[Name]> }
export type EventName = keyof Events
export interface Teller {
  tell<Name extends EventName>(name: Name, payload: Events[Name]): void
}
