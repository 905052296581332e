import { z } from 'zod'
import { message } from '../../../../preload/contract/messages.ts'
import { distanceM } from '../../../../preload/base/maps/distance.ts'
import { isPlace } from '../../../../preload/base/maps/position.ts'
import { trackFaults, type PlaceReport } from '../../../base/reading/contradictions.ts'
import { isOfReceiver, positionGapIn } from '../../../base/reading/reportedEvents.ts'
import {
  sayPositionGap,
  sayTrackFault,
  whyNoPlace,
  type SaidContradiction
} from '../../../base/reading/sayContradictions.ts'
import { askGateway, createPatience } from '../engine/askGateway.ts'
import { deferred, fail, pass, unreadable, warn, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import { createFixWatch } from '../../../device/client/fixWatch.ts'
import { makeMeter, timeLeft } from '../engine/meters.ts'
import type { GatewayEvent } from '../engine/ports.ts'
import { deviceLost } from '../engine/silence.ts'
import { isEventOfDevice } from '../../../base/reading/eventOfDevice.ts'
import { ended, withoutAnswer, type Finisher } from '../finish/finish.ts'
import { asReported } from './arrivals.ts'
import { eventsOfTheDay, isOver } from './delivered.ts'

const settleMs = 60_000
const pauseMs = 1_000

/** Device and gateway agree on the position of the parked vehicle. */
export async function checkSamePlace(context: CheckContext): Promise<Outcome> {
  const { passM, warnM, parkedKmh, giveUpS } = context.profile.samePlace
  const { eventAgeWarnS } = context.profile.delivered
  const { ageS } = context.profile.position
  const settlesInMs = Math.min(settleMs, giveUpS * 500)
  const thresholds = { passM, warnM, parkedKmh, fixAgeS: ageS, eventAgeS: eventAgeWarnS }
  const { imei } = context.job.device
  const watch = createFixWatch(context)
  const patience = createPatience()
  let apart: number | undefined
  let comparedSinceMs: number | undefined

  for (;;) {
    const reply = await askGateway(() =>
      context.gateway.readEvents({ imei, vehicleId: context.job.vehicle?.id ?? null }, context.signal)
    )
    if (reply.kind === 'no') return fail(reply.why, message('jobs.askWhetherShown'), ['gateway'])
    if (patience.isOver(reply) && reply.kind === 'away')
      return deferred(message('jobs.waitsForGateway', { why: reply.why }))
    const all = reply.kind === 'answer' ? reply.value.filter((event) => isEventOfDevice(event, imei)) : []
    const own = all.filter((event) => event.isPositionValid === true)
    const contradiction = contradictionOf(
      own.filter(({ ageS: oldS }) => oldS <= eventAgeWarnS),
      own
    )
    if (contradiction) {
      context.saw({ witness: 'gateway', what: contradiction.sentence, raw: own.map(({ raw }) => raw), thresholds })
      return fail(contradiction.sentence, contradiction.remedy, ['gateway'])
    }
    const there = own.find((event) => isPlace(event.latitude, event.longitude) && event.ageS <= eventAgeWarnS)
    // Read after the gateway's answer, which may have been slow.
    const here = (await watch.read())?.value.coords
    const speed = watch.speedKmh()
    const isParked = speed !== undefined && speed <= parkedKmh && watch.movedM() === null
    const isPlaced = watch.hasFix() && watch.doubts().length === 0 && watch.ageMs() <= ageS * 1000
    if (here?.latitude !== undefined && here.longitude !== undefined && isPlaced && there && isParked) {
      comparedSinceMs ??= context.elapsedMs()
      const apartM = distanceM(
        { latitude: here.latitude, longitude: here.longitude },
        { latitude: there.latitude ?? 0, longitude: there.longitude ?? 0 }
      )
      const rounded = Math.round(apartM)
      apart = rounded
      const seen = {
        device: { latitude: here.latitude, longitude: here.longitude, speedKmh: speed },
        gateway: there.raw,
        gatewayPlace: { latitude: there.latitude, longitude: there.longitude }
      }
      if (apartM <= passM || context.elapsedMs() - comparedSinceMs > settlesInMs) {
        context.saw({
          witness: 'gateway',
          what: message('samePlace.apart', { distanceM: rounded }),
          raw: seen,
          thresholds
        })
        const what = message('samePlace.apart', { distanceM: rounded })
        const apartNow = message('meters.distance', { distanceM: rounded })
        if (apartM <= passM) return withFigure(apartNow, pass(what, ['device', 'gateway']))
        if (apartM <= warnM)
          return withFigure(apartNow, warn(what, message('samePlace.waitForFix'), ['device', 'gateway']))
        return fail(what, message('samePlace.otherPlace'), ['device', 'gateway'])
      }
    } else comparedSinceMs = undefined
    const lost = deviceLost(context)
    if (lost) return lost
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    if (leftMs <= 0) {
      const gap = isPlaced && isParked ? await findPositionGap(context, all) : null
      if (gap) {
        context.saw({ witness: 'gateway', what: gap.sentence, raw: all.map(({ raw }) => raw), thresholds })
        return fail(gap.sentence, gap.remedy, ['gateway'])
      }
      const why = !isPlaced
        ? message('samePlace.noFix')
        : !isParked
          ? message('samePlace.notParked')
          : message('samePlace.noEvent')
      return unreadable(message('samePlace.notCompared', { why }), message('samePlace.whatItNeeds'))
    }
    context.show({
      say: isParked || speed === undefined ? message('samePlace.comparing') : message('samePlace.park'),
      hint: reply.kind === 'away' ? reply.why : null,
      meters: [
        makeMeter(
          message('samePlace.apartMeter'),
          apart === undefined ? undefined : message('meters.distance', { distanceM: apart }),
          {
            target: message('meters.atMostDistance', { distanceM: passM })
          }
        ),
        makeMeter(
          message('samePlace.speed'),
          speed === undefined ? undefined : message('meters.speed', { speedKmh: speed }),
          { target: message('samePlace.parked') }
        ),
        timeLeft(leftMs)
      ],
      leftMs
    })
    await context.pause(pauseMs)
  }
}

/** Coordinates that are no place, or places of two devices: nothing can be compared with them. */
function contradictionOf(
  [newest]: readonly GatewayEvent[],
  all: readonly GatewayEvent[]
): SaidContradiction | undefined {
  const noPlace = whyNoPlace(newest?.latitude, newest?.longitude)
  if (noPlace) return noPlace
  const reports = all.flatMap((event): PlaceReport[] =>
    isPlace(event.latitude, event.longitude)
      ? [{ atMs: event.eventAtMs, latitude: event.latitude ?? 0, longitude: event.longitude ?? 0, speedKmh: null }]
      : []
  )
  const [jump] = newest ? trackFaults(reports) : []
  return jump && sayTrackFault(jump)
}

/** So far back the last position of a device is searched. */
const longestGapMs = 30 * 86_400_000

/** Why the gateway has no position of a connected device; null: it may still come, or the device is not connected. */
async function findPositionGap(
  context: CheckContext,
  events: readonly GatewayEvent[]
): Promise<SaidContradiction | null> {
  const { delivered } = context.profile
  const { imei } = context.job.device
  if (!events.some(({ ageS }) => ageS <= delivered.eventAgeWarnS)) return null
  const untilMs = context.now().getTime()
  const reply = await askGateway(() =>
    context.gateway.readEvents(
      {
        imei,
        vehicleId: context.job.vehicle?.id ?? null,
        sinceMs: untilMs - longestGapMs,
        untilMs,
        isOfReceiver: true
      },
      context.signal
    )
  )
  if (reply.kind !== 'answer') return null
  const all = [...events, ...reply.value.filter((event) => isEventOfDevice(event, imei) && isOfReceiver(event))]
  const gap = positionGapIn(
    all.map((event) => ({ ...asReported(event), ageS: event.ageS })),
    {
      ageOf: ({ ageS }) => ageS,
      silentS: delivered.giveUpS,
      isKeyOn: context.lines.latest()?.value.IGN ?? null
    }
  )
  return gap === null || gap.kind === 'parked' ? null : sayPositionGap(gap)
}

const placeOfEvidence = z.object({ coords: z.object({ latitude: z.number(), longitude: z.number() }) })
/** An event with a greater time difference to the reading shows the vehicle at another time. */
const samePlaceWithinMs = 30 * 60_000

/** Compares the stored position with the event nearest in time. */
export const finishSamePlace: Finisher<'samePlace'> = async (step, options) => {
  const { steps, createdAt } = options.job()
  const positions = steps
    .filter((candidate) => candidate.kind === 'position')
    .flatMap((candidate) => candidate.evidence)
  const here = positions
    .toReversed()
    .map((seen) => ({ atMs: Date.parse(seen.at), place: placeOfEvidence.safeParse(seen.raw).data?.coords }))
    .find(({ place }) => place !== undefined && (place.latitude !== 0 || place.longitude !== 0))
  if (!here?.place) {
    return ended(warn(message('samePlace.noPlaceThatDay'), message('samePlace.lookAtGateway'), ['device']))
  }
  const { place, atMs } = here
  const reply = await eventsOfTheDay(options, { sinceMs: Date.parse(createdAt), untilMs: atMs + samePlaceWithinMs })
  if (reply.kind !== 'answer') return withoutAnswer(reply, message('jobs.askWhetherShown'))
  const [nearest] = reply.value
    .filter((event) => isPlace(event.latitude, event.longitude) && event.isPositionValid === true)
    .filter((event) => Math.abs(event.eventAtMs - atMs) <= samePlaceWithinMs)
    .sort((a, b) => Math.abs(a.eventAtMs - atMs) - Math.abs(b.eventAtMs - atMs))
  if (!nearest) {
    if (!isOver(options, Math.max(atMs + samePlaceWithinMs, Date.parse(step.startedAt ?? createdAt)))) {
      return { kind: 'open', why: message('samePlace.noPlaceThenYet') }
    }
    return ended(
      unreadable(
        message('samePlace.notCompared', { why: message('samePlace.noPlaceThen') }),
        message('samePlace.lookThenWaive')
      )
    )
  }
  const apart = Math.round(distanceM(place, { latitude: nearest.latitude ?? 0, longitude: nearest.longitude ?? 0 }))
  const { passM, warnM } = options.limits
  const seen = [
    { what: message('samePlace.apartThatDay', { distanceM: apart }), raw: { device: place, gateway: nearest.raw } }
  ]
  const text = message('samePlace.apart', { distanceM: apart })
  if (apart <= passM) return ended(pass(text, ['device', 'gateway']), seen)
  if (apart <= warnM) return ended(warn(text, message('samePlace.compareParked'), ['device', 'gateway']), seen)
  return ended(fail(text, message('samePlace.otherDevice'), ['device', 'gateway']), seen)
}
