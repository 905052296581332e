import type { z } from 'zod'
import { accessoriesCalls } from './accessories.ts'
import { appCalls } from './app.ts'
import { attachmentsCalls } from './attachments.ts'
import { cabCalls } from './cab.ts'
import { bundlesCalls } from './bundles.ts'
import { copiesCalls } from './copies.ts'
import { dataCalls } from './data.ts'
import { dayCalls } from './day.ts'
import { deviceCalls } from './device.ts'
import { diagnosisCalls } from './diagnosis.ts'
import { discoveryCalls } from './discovery.ts'
import { exerciseCalls } from './exercises.ts'
import { eventLogCalls } from './eventLog.ts'
import type { EventName, Events } from './events.ts'
import type { CallResult } from './errors.ts'
import { findCalls } from './find.ts'
import { gatewayCalls } from './gateway.ts'
import { internetCalls } from './internet.ts'
import { jobLogCalls } from './jobLog.ts'
import { jobsCalls } from './jobs.ts'
import { knowledgeCalls } from './knowledge.ts'
import { lossesCalls } from './losses.ts'
import { mapsCalls } from './maps.ts'
import { navUnitCalls } from './navUnit.ts'
import { numbersCalls } from './numbers.ts'
import { operationsCalls } from './operations.ts'
import { ordersCalls } from './orders.ts'
import { outputsCalls } from './outputs.ts'
import { photosCalls } from './photos.ts'
import { rawdataCalls } from './rawdata.ts'
import { remoteOutputsCalls } from './remoteOutputs.ts'
import { settingsCalls } from './settings.ts'
import { signalsCalls } from './signals.ts'
import { snapshotsCalls } from './snapshots.ts'
import { storiesCalls } from './stories.ts'
import { teamCalls } from './team.ts'
import { teamForkCalls } from './teamForks.ts'
import { teamKeptCalls } from './teamKept.ts'
import { teamNewsCalls } from './teamNews.ts'
import { teamAssignedCalls } from './teamAssigned.ts'
import { teamHoldingCalls } from './teamHolding.ts'
import { templatesCalls } from './templates.ts'
import { tolerancesCalls } from './tolerances.ts'
import { trackCalls } from './track.ts'
import { transfersCalls } from './transfers.ts'
import { trainingCalls } from './training.ts'
import { triggersCalls } from './triggers.ts'
import { vehicleRoadCalls } from './vehicleRoad.ts'
import { vehiclesCalls } from './vehicles.ts'
import { workspaceCalls } from './workspace.ts'

/** Every call that a front end can make. One definition each; types, checks and documentation come from it. */
export const calls = {
  ...accessoriesCalls,
  ...appCalls,
  ...attachmentsCalls,
  ...bundlesCalls,
  ...settingsCalls,
  ...cabCalls,
  ...copiesCalls,
  ...discoveryCalls,
  ...dataCalls,
  ...dayCalls,
  ...deviceCalls,
  ...diagnosisCalls,
  ...eventLogCalls,
  ...exerciseCalls,
  ...findCalls,
  ...gatewayCalls,
  ...internetCalls,
  ...jobLogCalls,
  ...jobsCalls,
  ...knowledgeCalls,
  ...lossesCalls,
  ...mapsCalls,
  ...navUnitCalls,
  ...numbersCalls,
  ...operationsCalls,
  ...ordersCalls,
  ...outputsCalls,
  ...photosCalls,
  ...rawdataCalls,
  ...remoteOutputsCalls,
  ...signalsCalls,
  ...snapshotsCalls,
  ...storiesCalls,
  ...teamCalls,
  ...teamForkCalls,
  ...teamKeptCalls,
  ...teamNewsCalls,
  ...teamAssignedCalls,
  ...teamHoldingCalls,
  ...templatesCalls,
  ...tolerancesCalls,
  ...trackCalls,
  ...trainingCalls,
  ...transfersCalls,
  ...triggersCalls,
  ...vehicleRoadCalls,
  ...vehiclesCalls,
  ...workspaceCalls
}

export type Calls = typeof calls
export type CallName = keyof Calls
/** What a caller gives (defaults may be left out). */
export type CallInput<Name extends CallName> = z.input<Calls[Name]['input']>
/** What a handler gets (defaults filled in). */
export type CallParsed<Name extends CallName> = z.output<Calls[Name]['input']>
export type CallOutput<Name extends CallName> = z.output<Calls[Name]['output']>

/** The function behind each call: parsed input in, output of the contract out; throws AppError. */
export type Handlers = { [Name in CallName]: (input: CallParsed<Name>, signal: AbortSignal) => Promise<CallOutput<Name>> | CallOutput<Name> }
/** The calls of some topics: what one `handlers.ts` answers. */
export type HandlersOf<Topic extends string> = Pick<Handlers, Extract<CallName, `${Topic}.${string}`>>

/** What the preload (or the browser host's page script) puts on `window.fitter`. */
export interface Bridge {
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallResult<CallOutput<Name>>>
  /** Calls `listener` for every event until the returned function is called. */
  subscribe(listener: <Name extends EventName>(name: Name, payload: Events[Name]) => void): () => void
  /** When the core last gave a sign of life, on the clock of `performance.now()`. */
  lastHeardMs(): number
}
