import type { TrackPoint } from '../../../../preload/contract/device/track.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { isEventOfDevice } from '../../../base/reading/eventOfDevice.ts'
import { askGateway, createPatience } from '../engine/askGateway.ts'
import { deferred, fail, unreadable, type Asked, type CheckContext, type Outcome } from '../engine/check.ts'
import { makeMeter, shareOf, timeLeft } from '../engine/meters.ts'
import type { RoadEvent } from '../engine/ports.ts'
import { askTrip, driveOf, evidenceOf, sayAnswers } from '../road/askTrip.ts'
import { judgeTrip } from '../road/judgeTrip.ts'
import { recordTrip, type TripRecorder } from '../road/recordTrip.ts'
import { scoreTrip, type TripAnswers, type TripScores } from '../road/scoreTrip.ts'
import { keptTrip } from '../road/tripPieces.ts'
import { deviceLostRemedy } from '../engine/silence.ts'
import { ended, withoutAnswer, type Finisher } from '../finish/finish.ts'

const readEveryMs = 1_000
const drawEveryMs = 5_000

type Context = CheckContext<'testTrip'>
type Driven = { points: TrackPoint[]; clockOffS: number }

/** A drive with two witnesses: the device, read each second, and the gateway's data for the same minutes. */
export async function checkTestTrip(context: Context): Promise<Outcome> {
  const driven = await drive(context)
  return 'state' in driven ? driven : judge(context, driven)
}

async function drive(context: Context): Promise<Driven | Outcome> {
  const { testTrip: limits } = context.profile
  const minM = (context.plan.minKm ?? limits.minKm) * 1000
  const minMs = (context.plan.minMinutes ?? limits.minMinutes) * 60_000
  const recorder = recordTrip(context, earlierTrip(context))
  const gateway = followGateway(context)
  let ready: Asked | undefined
  let ending: Asked | undefined
  let standing: Parameters<TripRecorder['begin']>[0] | undefined
  let movedAtMs = context.monotonicMs()
  let drawnAtMs = -Infinity
  let waitsSinceMs = context.monotonicMs()

  if (!recorder.hasBegun) {
    context.show({ say: message('testTrip.getReady'), hint: null, meters: [], leftMs: null })
    ready = context.ask({
      kind: 'ready',
      text: message('testTrip.areYouReady', { distanceM: minM, forS: minMs / 1000 }),
      button: message('testTrip.start')
    })
    await ready.answered
    waitsSinceMs = context.monotonicMs()
  }
  try {
    for (;;) {
      const turnMs = context.monotonicMs()
      const sample = await recorder.read()
      const isMoving = (sample?.speedKmh ?? 0) >= limits.movingKmh
      if (isMoving) movedAtMs = context.monotonicMs()
      if (sample && !recorder.hasBegun && isMoving) recorder.begin(standing ?? sample)
      else if (sample && !recorder.hasBegun) standing = sample
      recorder.keep(false)
      gateway.look(recorder.points())

      const isEnough = recorder.hasBegun && recorder.drivenM() >= minM && recorder.lastedMs() >= minMs
      const standsForMs = context.monotonicMs() - movedAtMs
      if (isEnough)
        ending ??= context.ask({ kind: 'ready', text: message('testTrip.farEnough'), button: message('testTrip.end') })
      if (isEnough && (ending?.given || (sample && standsForMs >= limits.standstillS * 1000))) break
      const over = tripOver(recorder, { limits, waitsMs: context.monotonicMs() - waitsSinceMs })
      if (over) return over
      if (context.monotonicMs() - drawnAtMs >= drawEveryMs) {
        drawnAtMs = context.monotonicMs()
        context.show({ drive: driveOf(recorder.points(), gateway.events()) })
      }
      showDriving(context, recorder, { minM, minMs, events: gateway.events().length, hint: gateway.problem() })
      await context.pause(Math.max(0, turnMs + readEveryMs - context.monotonicMs()))
    }
  } finally {
    // Also if the step is stopped or the laptop is closed: the track is in the log, and the trip continues from it.
    recorder.keep(true)
  }
  context.unask()
  return { points: recorder.points(), clockOffS: recorder.clockOffS() }
}

/** A recently interrupted trip continues; the distance driven in the meantime remains a gap. */
function earlierTrip({ step, previous, profile, now }: Context): ReturnType<typeof keptTrip> {
  if (previous !== 'waiting' && previous !== 'unreadable') return undefined
  const trip = keptTrip(step.evidence)
  return trip && now().getTime() - trip.writtenMs <= profile.testTrip.resumeWithinS * 1000 ? trip : undefined
}

/** The reason why the trip is invalid; its track is still logged. */
function tripOver(
  recorder: TripRecorder,
  { limits, waitsMs }: { limits: Context['profile']['testTrip']; waitsMs: number }
): Outcome | undefined {
  if (recorder.silentForMs() >= limits.lostS * 1000)
    return unreadable(message('testTrip.lost', { forS: Math.round(recorder.silentForMs() / 1000) }), deviceLostRemedy)
  if (!recorder.hasBegun && waitsMs >= limits.startWithinS * 1000) {
    const problem = recorder.problem()
    if (problem === 'noTime') return unreadable(message('testTrip.noTime'), message('jobs.lookAtRawAnswer'))
    return problem === 'noFix'
      ? fail(message('testTrip.noFix'), message('position.goOutdoors'), ['device'])
      : unreadable(message('testTrip.notMoved'), message('testTrip.driveThenRun'))
  }
  if (recorder.lastedMs() > limits.longestMinutes * 60_000)
    return unreadable(
      message('testTrip.tooShort', { distanceM: Math.round(recorder.drivenM()) }),
      message('testTrip.driveThenRun')
    )
  return undefined
}

function showDriving(
  context: Context,
  recorder: TripRecorder,
  { minM, minMs, events, hint }: { minM: number; minMs: number; events: number; hint: Message | null }
): void {
  const isLost = recorder.silentForMs() > 3_000
  context.show({
    say: recorder.hasBegun ? message('testTrip.driving') : message('testTrip.waitingToMove'),
    hint: isLost
      ? message('testTrip.notRead', { forS: Math.round(recorder.silentForMs() / 1000) })
      : recorder.problem() === 'noFix'
        ? message('samePlace.noFix')
        : hint,
    meters: [
      makeMeter(
        message('testTrip.distance'),
        message('meters.distance', { distanceM: Math.round(recorder.drivenM()) }),
        {
          target: message('testTrip.atLeastDistance', { distanceM: minM }),
          progress: shareOf(recorder.drivenM(), minM)
        }
      ),
      makeMeter(
        message('testTrip.time'),
        message('meters.duration', { forS: Math.round(recorder.lastedMs() / 1000) }),
        {
          target: message('testTrip.atLeastTime', { forS: minMs / 1000 }),
          progress: shareOf(recorder.lastedMs(), minMs)
        }
      ),
      makeMeter(message('testTrip.eventsHeard'), message('meters.count', { n: events }))
    ],
    leftMs: null
  })
}

/** Asks the gateway in parallel to the drive, so that no reading of the device is delayed. */
function followGateway(context: Context): {
  look(points: readonly TrackPoint[]): void
  events(): RoadEvent[]
  problem(): Message | null
} {
  const { imei } = context.job.device
  const everyMs = context.profile.delivered.askEveryS * 2_000
  const heard = new Map<string, RoadEvent>()
  let askedAtMs = -Infinity
  let isAsking = false
  let fault: { error: unknown } | undefined
  let problem: Message | null = null

  async function ask(points: readonly TrackPoint[]): Promise<void> {
    const [first, last] = [points[0], points.at(-1)]
    if (!first || !last) return
    const newestMs = Math.max(first[0], ...[...heard.values()].map(({ eventAtMs }) => eventAtMs)) - 120_000
    const request = {
      imei,
      vehicleId: context.job.vehicle?.id ?? null,
      fromMs: Math.max(first[0], newestMs),
      untilMs: last[0] + 60_000
    }
    const reply = await askGateway(() => context.gateway.road.readEvents(request, context.signal))
    problem = reply.kind === 'answer' ? null : reply.why
    if (reply.kind !== 'answer') return
    for (const event of reply.value.events)
      if (isEventOfDevice(event, imei)) heard.set(`${event.eventAtMs} ${event.type}`, event)
  }

  return {
    look(points) {
      if (fault) throw fault.error
      if (isAsking || context.monotonicMs() - askedAtMs < everyMs) return
      isAsking = true
      askedAtMs = context.monotonicMs()
      // Nothing awaits this promise: a fault ends the step in the next round.
      ask(points).then(
        () => (isAsking = false),
        (error: unknown) => (fault = { error })
      )
    },
    events: () => [...heard.values()].sort((a, b) => a.eventAtMs - b.eventAtMs),
    problem: () => problem
  }
}

/** No more data can be expected. */
function isAllThere(
  { events, trip, counter }: TripAnswers,
  { endedMs, silentMinutes, trip: comparedTrip, counter: comparedCounter }: TripScores
): boolean {
  const isToTheEnd = (events.at(-1)?.eventAtMs ?? -Infinity) >= endedMs - 30_000
  return (
    isToTheEnd &&
    silentMinutes === 0 &&
    (trip?.distanceM ?? null) !== null &&
    (counter?.distanceM ?? null) !== null &&
    comparedTrip !== null &&
    comparedCounter !== null
  )
}

/** Events may be late: the step waits as long as they could still improve the result. */
async function judge(context: Context, { points, clockOffS }: Driven): Promise<Outcome> {
  const { testTrip: limits, delivered } = context.profile
  const { imei } = context.job.device
  const fromMs = points[0]?.[0] ?? 0
  const untilMs = points.at(-1)?.[0] ?? fromMs
  const patience = createPatience()
  const endedMs = context.monotonicMs()
  let vehicleId = context.job.vehicle?.id ?? null

  for (;;) {
    if (vehicleId === null) {
      const found = await askGateway(() => context.gateway.findVehicleOfDevice(imei, context.signal))
      vehicleId = found.kind === 'answer' ? (found.value?.id ?? null) : null
    }
    const reply = await askTrip(context.gateway, { imei, vehicleId, fromMs, untilMs }, context.signal)
    const leftMs = limits.deliverS * 1000 - (context.monotonicMs() - endedMs)
    if (reply.kind === 'no') return fail(reply.why, message('jobs.askWhetherShown'), ['gateway'])
    if (reply.kind === 'away' && (patience.isOver(reply) || leftMs <= 0)) {
      return { ...deferred(message('jobs.waitsForGateway', { why: reply.why })), drive: driveOf(points, []) }
    }
    if (reply.kind === 'answer') {
      const scores = scoreTrip(points, reply.answers)
      const outcome = reply.isWhole
        ? judgeTrip(scores, limits, clockOffS)
        : unreadable(message('testTrip.tooManyEvents'), message('jobs.runAgain'))
      const drawn = driveOf(points, reply.answers.events)
      if (outcome.state === 'pass' || leftMs <= 0 || isAllThere(reply.answers, scores)) {
        context.saw({
          witness: 'gateway',
          what: sayAnswers(reply.answers),
          raw: { ...evidenceOf(reply.answers), scores },
          thresholds: limits
        })
        return { ...outcome, drive: drawn }
      }
      context.show({ rows: outcome.rows ?? [], drive: drawn })
    }
    context.show({
      say: message('testTrip.waitingForLate'),
      hint: reply.kind === 'away' ? reply.why : (reply.problems[0] ?? null),
      meters: [timeLeft(leftMs)],
      leftMs
    })
    // Each round makes three requests, and a user has only a few per minute.
    await context.pause(delivered.askEveryS * 3_000)
  }
}

/** The track is in the log: the gateway's data for those minutes can be compared with it at any later time. */
export const finishTestTrip: Finisher<'testTrip'> = async (step, { job, limits, gateway, signal, now }) => {
  const { device, vehicle } = job()
  const trip = keptTrip(step.evidence)
  const [first, last] = [trip?.points[0], trip?.points.at(-1)]
  if (!trip || !first || !last) return ended(unreadable(message('testTrip.notInLog'), message('testTrip.driveThenRun')))
  const found = vehicle ? undefined : await askGateway(() => gateway.findVehicleOfDevice(device.imei, signal))
  if (found?.kind === 'away') return { kind: 'away', why: found.why }
  const vehicleId = vehicle?.id ?? (found?.kind === 'answer' ? (found.value?.id ?? null) : null)
  const reply = await askTrip(gateway, { imei: device.imei, vehicleId, fromMs: first[0], untilMs: last[0] }, signal)
  if (reply.kind !== 'answer') return withoutAnswer(reply, message('jobs.askWhetherShown'))
  const scores = scoreTrip(trip.points, reply.answers)
  const outcome = reply.isWhole
    ? judgeTrip(scores, limits, trip.clockOffS)
    : unreadable(message('testTrip.tooManyEvents'), message('jobs.runAgain'))
  if (outcome.state !== 'pass' && now().getTime() - trip.writtenMs < limits.deliverS * 1000)
    return { kind: 'open', why: message('testTrip.waitingForLate') }
  return ended({ ...outcome, drive: driveOf(trip.points, reply.answers.events) }, [
    { what: sayAnswers(reply.answers), raw: { ...evidenceOf(reply.answers), scores } }
  ])
}
