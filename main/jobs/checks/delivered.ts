import { askGateway } from '../askGateway.ts'
import { deferred, fail, pass, warn, type CheckContext, type Outcome } from '../check.ts'
import { clockText, meter } from '../meters.ts'
import type { GatewayEvent } from '../ports.ts'

/** How often the gateway may be out of reach in a row before the step is left for later. */
const awayLimit = 3

/** The newest event of this device has arrived at the gateway, and quickly. */
export async function checkDelivered(context: CheckContext): Promise<Outcome> {
  const { eventAgePassS, delayPassS, eventAgeWarnS, askEveryS, giveUpS } = context.profile.delivered
  const thresholds = { eventAgePassS, delayPassS, eventAgeWarnS }
  let away = 0
  let best: GatewayEvent | undefined
  let notedAtMs: number | undefined

  for (;;) {
    const reply = await askGateway(() =>
      context.gateway.readEvents({ imei: context.job.device.imei, vehicleId: context.job.vehicle?.id ?? null }, context.signal)
    )
    let hint = ''
    if (reply.kind === 'away') {
      away += 1
      hint = reply.why
      if (away >= awayLimit) return deferred(`waits for the gateway: ${reply.why}`)
    } else if (reply.kind === 'no') {
      return fail(reply.why, 'Ask the back office whether your user may see this device and its vehicle.', ['gateway'])
    } else {
      away = 0
      const [newest] = reply.value
      if (newest && newest.eventAtMs !== notedAtMs) {
        notedAtMs = newest.eventAtMs
        context.saw({
          witness: 'gateway',
          what: `Newest event ${Math.round(newest.ageS)} s old${newest.delayS === null ? '' : `, delivered in ${newest.delayS} s`}`,
          raw: newest.raw,
          thresholds
        })
      }
      if (newest) {
        best = newest
        const isQuick = newest.delayS !== null && newest.delayS <= delayPassS
        if (newest.ageS <= eventAgePassS && isQuick) return pass(`event ${Math.round(newest.ageS)} s old, delivered in ${newest.delayS} s`, ['gateway'])
        // One reporting interval more may turn a slow event into a quick one; after that it is what it is.
        if (newest.ageS <= eventAgeWarnS && context.elapsedMs() > 2 * eventAgePassS * 1000) {
          return warn(`event ${Math.round(newest.ageS)} s old${newest.delayS === null ? '' : `, delivered in ${newest.delayS} s`}`, 'The device reports slowly here: check the signal, then run the step again.', ['gateway'])
        }
      }
    }
    if (context.elapsedMs() > giveUpS * 1000) break
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    context.show({
      say: 'Waiting for the device to report to the gateway.',
      hint,
      meters: [
        meter('Newest event', best ? Math.round(best.ageS) : undefined, { unit: 's old', target: `≤ ${eventAgePassS} s` }),
        meter('Delivered in', best?.delayS ?? undefined, { unit: 's', target: `≤ ${delayPassS} s` })
      ],
      leftMs
    })
    await context.pause(askEveryS * 1000)
  }
  return fail(
    best ? `The newest event at the gateway is ${Math.round(best.ageS / 60)} min old` : `No event at the gateway in ${clockText(giveUpS * 1000)} min`,
    'The device has a network but nothing arrives: check the APN, and whether the device belongs to this gateway.',
    ['gateway']
  )
}
