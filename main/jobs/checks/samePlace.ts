import { distanceM } from '../../deviceFacts.ts'
import { askGateway } from '../askGateway.ts'
import { deferred, fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import { createFixWatch } from '../fix.ts'
import { meter, oneDecimal } from '../meters.ts'
import { deviceLost } from '../silence.ts'

const awayLimit = 3
const settleMs = 60_000

/** Device and gateway agree on where the parked vehicle is. */
export async function checkSamePlace(context: CheckContext): Promise<Outcome> {
  const { passM, warnM, parkedKmh, giveUpS } = context.profile.samePlace
  const { askEveryS, eventAgeWarnS } = context.profile.delivered
  const thresholds = { passM, warnM, parkedKmh }
  const watch = createFixWatch(context)
  let away = 0
  let apart: number | undefined
  let comparedSinceMs: number | undefined

  for (;;) {
    const here = (await watch.read())?.value.coords
    const reply = await askGateway(() =>
      context.gateway.readEvents({ imei: context.job.device.imei, vehicleId: context.job.vehicle?.id ?? null }, context.signal)
    )
    if (reply.kind === 'no') return fail(reply.why, 'Ask the back office whether your user may see this device and its vehicle.', ['gateway'])
    if (reply.kind === 'away' && ++away >= awayLimit) return deferred(`waits for the gateway: ${reply.why}`)
    const there =
      reply.kind === 'answer'
        ? reply.value.find((event) => event.latitude !== null && event.longitude !== null && event.isPositionValid !== false && event.ageS <= eventAgeWarnS)
        : undefined
    if (reply.kind === 'answer') away = 0
    const isParked = here?.speed !== undefined && here.speed <= parkedKmh
    if (here?.latitude !== undefined && here.longitude !== undefined && watch.hasFix() && there && isParked) {
      comparedSinceMs ??= context.monotonicMs()
      const apartM = distanceM(
        { latitude: here.latitude, longitude: here.longitude },
        { latitude: there.latitude ?? 0, longitude: there.longitude ?? 0 }
      )
      apart = apartM
      const seen = { device: { latitude: here.latitude, longitude: here.longitude, speedKmh: here.speed }, gateway: there.raw }
      if (apartM <= passM) {
        context.saw({ witness: 'gateway', what: `${Math.round(apartM)} m apart`, raw: seen, thresholds })
        return pass(`${Math.round(apartM)} m apart`, ['device', 'gateway'])
      }
      if (context.monotonicMs() - comparedSinceMs > settleMs) {
        context.saw({ witness: 'gateway', what: `${Math.round(apartM)} m apart`, raw: seen, thresholds })
        if (apartM <= warnM) return warn(`${Math.round(apartM)} m apart`, 'Wait for a better fix and run the step again.', ['device', 'gateway'])
        return fail(`${Math.round(apartM)} m apart`, 'The gateway shows another place: another device may report as this one, or its last report is old.', ['device', 'gateway'])
      }
    }
    const lost = deviceLost(context)
    if (lost) return lost
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    if (leftMs <= 0) break
    context.show({
      say: isParked || here?.speed === undefined ? 'Comparing the place with the gateway.' : 'Park the vehicle.',
      hint: reply.kind === 'away' ? reply.why : '',
      meters: [
        meter('Apart', apart === undefined ? undefined : Math.round(apart), { unit: 'm', target: `≤ ${passM} m` }),
        meter('Speed', here?.speed === undefined ? undefined : oneDecimal(here.speed), { unit: 'km/h', target: 'parked' })
      ],
      leftMs
    })
    await context.pause(askEveryS * 1000)
  }
  return unreadable('The two places could not be compared', 'It needs a fix, a parked vehicle and a fresh report at the gateway. Run the steps Position and Delivered first.')
}
