import { distanceM } from '../../device/facts.ts'
import { askGateway, createPatience } from '../askGateway.ts'
import { deferred, fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import { createFixWatch } from '../../device/fixWatch.ts'
import { clockText, meter, oneDecimal } from '../meters.ts'
import { deviceLost } from '../silence.ts'
import { isOf } from './delivered.ts'

const settleMs = 60_000
const pauseMs = 1_000

/** Device and gateway agree on where the parked vehicle is. */
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
    const reply = await askGateway(() => context.gateway.readEvents({ imei, vehicleId: context.job.vehicle?.id ?? null }, context.signal))
    if (reply.kind === 'no') return fail(reply.why, 'Ask the back office whether your user may see this device and its vehicle.', ['gateway'])
    if (patience.isOver(reply) && reply.kind === 'away') return deferred(`waits for the gateway: ${reply.why}`)
    const there =
      reply.kind === 'answer'
        ? reply.value.find(
            (event) => isOf(event, imei) && event.latitude !== null && event.longitude !== null && event.isPositionValid === true && event.ageS <= eventAgeWarnS
          )
        : undefined
    // Read after the gateway: its answer may have taken a while.
    const here = (await watch.read())?.value.coords
    const speed = watch.speedKmh()
    const isParked = speed !== undefined && speed <= parkedKmh
    const isPlaced = watch.hasFix() && watch.ageMs() <= ageS * 1000
    if (here?.latitude !== undefined && here.longitude !== undefined && isPlaced && there && isParked) {
      comparedSinceMs ??= context.monotonicMs()
      const apartM = distanceM({ latitude: here.latitude, longitude: here.longitude }, { latitude: there.latitude ?? 0, longitude: there.longitude ?? 0 })
      const rounded = Math.round(apartM)
      apart = rounded
      const seen = { device: { latitude: here.latitude, longitude: here.longitude, speedKmh: speed }, gateway: there.raw }
      if (apartM <= passM || context.monotonicMs() - comparedSinceMs > settlesInMs) {
        context.saw({ witness: 'gateway', what: `${rounded} m apart`, raw: seen, thresholds })
        if (apartM <= passM) return pass(`${rounded} m apart`, ['device', 'gateway'])
        if (apartM <= warnM) return warn(`${rounded} m apart`, 'Wait for a better fix and run the step again.', ['device', 'gateway'])
        return fail(`${rounded} m apart`, 'The gateway shows another place: another device may report as this one, or its last report is old.', ['device', 'gateway'])
      }
    } else comparedSinceMs = undefined
    const lost = deviceLost(context)
    if (lost) return lost
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    if (leftMs <= 0) {
      const why = !isPlaced ? 'the device has no fresh fix' : !isParked ? 'the vehicle is not parked' : 'the gateway has no fresh place of this device'
      return unreadable(`The two places could not be compared: ${why}`, 'It needs a fix, a parked vehicle and a fresh report at the gateway. Run the steps Position and Delivered first.')
    }
    context.show({
      say: isParked || speed === undefined ? 'Comparing the place with the gateway.' : 'Park the vehicle.',
      hint: reply.kind === 'away' ? reply.why : '',
      meters: [
        meter('Apart', apart, { unit: 'm', target: `≤ ${passM} m` }),
        meter('Speed', speed === undefined ? undefined : oneDecimal(speed), { unit: 'km/h', target: 'parked' }),
        meter('Time left', clockText(leftMs), { tone: 'wait' })
      ],
      leftMs
    })
    await context.pause(pauseMs)
  }
}
