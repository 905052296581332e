import { accessoryKinds } from '../../job/accessories/accessoryOperations.ts'
import { createVehicleGateway, type VehicleGateway } from '../../gateway/client/vehicles/vehicles.ts'
import type { Jobs } from '../../job/jobs/jobs.ts'
import { createOperations } from '../../gateway/waitingWork/engine.ts'
import { officeNote } from '../../gateway/waitingWork/kinds/officeNote.ts'
import { createPassTimer, type PassTimer } from './passTimer.ts'
import { createStories, type Stories, type StoryParts } from '../../gateway/waitingWork/stories/stories.ts'
import { createStoryNews } from '../../gateway/waitingWork/stories/storyNews.ts'
import { createWaiting } from '../../gateway/waitingWork/stories/waiting.ts'
import { storyOfJob } from '../storyOfJob.ts'
import type { CoreOptions, Foundation } from './foundation.ts'
import type { OperationKind } from '../../gateway/waitingWork/kind.ts'
import {
  counterKey,
  countersCreate,
  countersSetGlobal,
  type CreateCounterPayload,
  type SetGlobalPayload
} from '../../gateway/waitingWork/kinds/counters.ts'
import { entitiesLink, linkKey, type LinkGateway } from '../../gateway/waitingWork/kinds/entitiesLink.ts'
import { comparedFirst, type RecordReader } from '../../gateway/waitingWork/kinds/fromCopy.ts'

export interface GatewayWorkParts {
  options: CoreOptions
  ending: AbortSignal
  jobs(): Jobs
  /** From the local copy of the gateway. */
  copiedVehicle: StoryParts['vehicle']
}

const syncEveryMs = 20_000

/** Gateway work, which waits until the gateway can be reached. `rest`: from now on nothing starts automatically. */
export function buildGatewayWork(
  { store, connections, events, technician }: Foundation,
  { options, ending, jobs, copiedVehicle }: GatewayWorkParts
) {
  const { reportFault } = options
  const { gateway } = connections
  const gatewayVehicles = createVehicleGateway(() => gateway.client())
  const news = options.background
    ? createStoryNews({
        rows: store.operations,
        stories: () => stories,
        events,
        vehicleOfJob: (id) => store.waiting.vehicleOfJob(id),
        reportFault
      })
    : undefined
  const operations = createOperations({
    rows: store.operations,
    isReadOnly: store.readOnly !== null,
    kinds: [
      ...vehicleKinds(connections.installation, gatewayVehicles),
      officeNote(gatewayVehicles),
      ...accessoryKinds(connections)
    ],
    clockDifferenceMs: () => gateway.clockDifferenceMs(),
    learnTime: async (signal) => (await gateway.client()).learnTime(signal),
    sentBy: technician,
    mayBeElsewhere: () => store.teamPush.hasEverJoined(),
    isPaused: () => store.waiting.paused() !== null,
    changed: (operation) => {
      events.tell('operations.changed', { operation, counts: operations.counts() })
      news?.operationMoved(operation.id)
    },
    held: (id) => news?.operationMoved(id),
    reportFault
  })
  const stories: Stories = createStories({
    rows: store.operations,
    operations,
    jobs: { waiting: () => store.waiting.jobs(), story: (id) => storyOfJob(jobs(), id) },
    vehicle: copiedVehicle,
    gatewayState: async () => (await gateway.status()).state,
    passes: () => timer?.times() ?? null,
    paused: () => store.waiting.paused()
  })
  const waiting = createWaiting({ operations, stories, kept: store.waiting, sync, technician, events, sendSoon })
  const timer: PassTimer | undefined =
    options.background && store.readOnly === null
      ? createPassTimer({
          everyMs: syncEveryMs,
          run: syncQuietly,
          nextMoveInMs: () => operations.nextMoveInMs(),
          reportFault
        })
      : undefined
  const stopNews =
    news && events.onEvent((name, payload) => name === 'jobs.state' && news.jobMoved((payload as { id: string }).id))

  async function sync(signal: AbortSignal, mode: 'once' | 'settle' = 'once') {
    const result = mode === 'once' ? await operations.pass(signal) : await operations.settle(signal)
    if (!waiting.paused()) await jobs().finishDeferred(signal)
    return result
  }

  /** Never rejects: it runs in the background, where a rejection would switch every output off. */
  async function syncQuietly(): Promise<void> {
    try {
      const hasWork = operations.hasWork() || (!waiting.paused() && jobs().hasDeferred())
      if (!hasWork || (await gateway.status()).state === 'signedOut') return
      await sync(ending)
    } catch (error) {
      if (!ending.aborted) reportFault(error)
    }
  }

  function sendSoon(): void {
    if (timer) timer.soon()
    else void syncQuietly()
  }

  return {
    gatewayVehicles,
    operations,
    stories,
    waiting,
    sync,
    /** Sends waiting work soon; nobody waits for it. */
    sendSoon,
    rest() {
      timer?.stop()
      stopNews?.()
      news?.stop()
    }
  }
}

/** Kinds of gateway work about vehicles. Records from the local copy are first compared with the gateway. */
function vehicleKinds(gateway: LinkGateway & RecordReader, counters: VehicleGateway): OperationKind[] {
  return [
    comparedFirst(entitiesLink(gateway), gateway, { key: ({ primary }) => linkKey(primary) }),
    comparedFirst<SetGlobalPayload>(countersSetGlobal({ ...counters, findExact: gateway.findExact }), gateway, {
      key: counterKey
    }),
    comparedFirst<CreateCounterPayload>(countersCreate(counters), gateway, {
      key: counterKey,
      put: (payload, { id, name }) => ({ ...payload, vid: id, vehicle: name })
    })
  ] as OperationKind[]
}

export type GatewayWork = Omit<ReturnType<typeof buildGatewayWork>, 'rest'>
