import type { Answer, Job, LiveStep } from '../../../../preload/contract/job/jobs.ts'
import type { FaultStory } from '../../../../simulator/faultStories.ts'
import type { SimulatedForm } from '../../../../simulator/forms.ts'
import { tellStory, type Scene } from '../../../../simulator/tellStory.ts'
import { openJobBench, type JobBench } from '../../device/jobBench.ts'
import { quickProfile, quickShipped } from '../../device/quickProfile.ts'
import { storySteps } from './steps.ts'
import { startVirtualClock, type VirtualClock } from './virtualClock.ts'

/** The story has run for this long before somebody installs the device. */
const beforeMs = 300_000
const mostStepMs = 900_000
/** A vehicle that is started in the middle of a job is already running. */
const takesHoldMs = 15_000
/** A person who got the same question again this often leaves it open. */
const mostAnswers = 3

export interface StoryRun {
  job: Job
  verdicts: Record<string, string>
  /** Ids of all messages in the result of each kind of step. */
  says: Record<string, string[]>
  faults: unknown[]
  violations: unknown[]
}

/** Runs a whole job on a vehicle with this story, on a clock that costs no time; `null` is the clean vehicle. */
export async function runStory(story: FaultStory | null, form: SimulatedForm = 'document'): Promise<StoryRun> {
  const clock = startVirtualClock()
  const asked = new Map<string, number>()
  const shipped = quickShipped(storySteps(story))
  // The helper's engine shows in the supply some seconds after the key.
  shipped.profiles.set('quick', {
    ...quickProfile,
    externalPower: { holdS: 20, shortDropS: 1, giveUpS: 60 },
    ignition: { ...quickProfile.ignition, engineWithinS: 8, giveUpS: 60 },
    inputs: { ...quickProfile.inputs, giveUpS: 60 },
    engineBus: { ...quickProfile.engineBus, giveUpS: 60 },
    samePlace: { ...quickProfile.samePlace, giveUpS: 60 },
    // Actions at an accessory are watched for from the first second until they happen.
    expander: { ...quickProfile.expander, giveUpS: 600 },
    iButton: { ...quickProfile.iButton, giveUpS: 600 },
    // A gateway answers so many questions a minute.
    delivered: { ...quickProfile.delivered, askEveryS: 8, giveUpS: 60 }
  })
  let bench: JobBench | undefined
  try {
    bench = await openJobBench({
      shipped,
      simulation: { form, story: 'installation-fast', fitted: true, now: () => Date.now(), reportEveryMs: 1_000 },
      person(live) {
        if (live.prompt?.kind === 'choose') asked.set(live.stepId, (asked.get(live.stepId) ?? 0) + 1)
        return bench && (asked.get(live.stepId) ?? 0) <= mostAnswers ? answer(bench, story, live) : undefined
      }
    })
    return await work({ bench, clock, story, asked })
  } finally {
    const closing = bench?.close()
    let isClosed = bench === undefined
    void closing?.finally(() => (isClosed = true))
    await clock.until(() => isClosed, 60_000)
    clock.stop()
    await closing
  }
}

async function work({
  bench,
  clock,
  story,
  asked
}: {
  bench: JobBench
  clock: VirtualClock
  story: FaultStory | null
  asked: Map<string, number>
}): Promise<StoryRun> {
  const { jobs, sim } = bench
  const [device] = sim.devices
  const { gateway } = sim
  if (!device || !gateway) throw new Error('no device or no gateway')
  const vehicle = gateway.state.vehicles.find((one) => String(one.device) === device.imei)?.name ?? ''
  const begin = () => story && tellStory(story, { device, gateway })
  if (story && story.at === undefined) begin()
  await clock.skip(beforeMs)

  const id = bench.create(vehicle)
  await over(clock, jobs.start(id, new AbortController().signal))
  for (const step of jobs.show(id).steps) {
    if (step.kind === story?.at) {
      begin()
      if (story.vehicle) await clock.skip(takesHoldMs)
    }
    if (jobs.show(id).steps.find((one) => one.id === step.id)?.state === 'pass') continue
    if (step.kind === 'signOff' && jobs.live(id).active) await over(clock, jobs.idle(id))
    // What cannot begin any more stays as it is: its state is the verdict.
    handleAccessories(step.kind, { device, gateway }, story)
    const isStuck = () => (asked.get(step.id) ?? 0) > mostAnswers
    await over(
      clock,
      jobs.runStep(id, step.id).catch(() => undefined),
      isStuck
    )
    if (isStuck()) await over(clock, jobs.stopStep(id, step.id))
  }
  const job = jobs.show(id)
  const hints = (kind: string) =>
    bench.lives
      .filter(({ stepId }) => job.steps.some((step) => step.id === stepId && step.kind === kind))
      .map(({ hint }) => hint)
  return {
    job,
    verdicts: Object.fromEntries(job.steps.map(({ kind, state }) => [kind, state])),
    says: Object.fromEntries(
      job.steps.map((step) => [
        step.kind,
        messageIdsIn([step.summary, step.remedy, step.remedySteps, step.lastResult, hints(step.kind)])
      ])
    ),
    faults: bench.faults,
    violations: sim.violations()
  }
}

/** Moves the clock until the work is over; a step that asks a person in vain stays open. */
async function over(clock: VirtualClock, work: Promise<unknown>, isStuck = () => false): Promise<void> {
  let isOver = false
  const ended = work.finally(() => (isOver = true))
  ended.catch(() => undefined)
  if (!(await clock.until(() => isOver || isStuck(), mostStepMs))) throw new Error('a step did not end')
  if (isOver) await ended
}

/** What a person does at the accessories while a step watches them. */
function handleAccessories(kind: string, { device, gateway }: Scene, story: FaultStory | null): void {
  const { accessories } = device.vehicle
  if (kind === 'iButton') {
    const known = gateway.state.ibuttons[0]?.id ?? ''
    setTimeout(
      () => accessories.tapKeyFob(story?.person?.includes('holdsUnknownKey') ? 'FFFFFFFFFFFFFFFF' : known),
      3_000
    )
  }
  if (kind === 'expander') {
    for (const [index, line] of ([1, 2] as const).entries()) {
      setTimeout(() => accessories.setExpanderInput(line, true), 3_000 + 4_000 * index)
      setTimeout(() => accessories.setExpanderInput(line, false), 5_000 + 4_000 * index)
    }
  }
}

/** What a person who does as they are asked, and sees what is there, answers. */
function answer(bench: JobBench, story: FaultStory | null, live: LiveStep): Answer | undefined {
  const [device] = bench.sim.devices
  const { prompt } = live
  if (!device || !prompt) return undefined
  switch (prompt.kind) {
    case 'imei':
      return { value: device.imei }
    case 'lines':
      return { answer: true }
    case 'arm':
      return story?.person?.includes('doesNotArm') ? undefined : { armed: true }
    case 'effect':
      return { effect: device.vehicle.state().starterBlocked }
    case 'yesNo':
      // Whoever mends a fault sees another story.
      return { answer: prompt.text.id !== 'apn.offer' }
    case 'picture':
      return { answer: device.vehicle.accessories.cameras().every(({ isCovered }) => !isCovered) }
    case 'ready':
      if (prompt.text.id === 'testTrip.areYouReady') {
        device.vehicle.playStory('parked')
        device.vehicle.startDrive({ forS: 90, kmh: 50 })
      }
      return { answer: true }
    case 'choose':
      return { choose: prompt.optional ? '' : 'Unit 0001' }
    case 'signOff':
      return { value: 'Technician One', choose: 'Customer One' }
    default:
      return undefined
  }
}

function messageIdsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(messageIdsIn)
  if (value === null || typeof value !== 'object') return []
  const own = 'id' in value && 'values' in value && typeof value.id === 'string' ? [value.id] : []
  return [...own, ...Object.values(value).flatMap(messageIdsIn)]
}
