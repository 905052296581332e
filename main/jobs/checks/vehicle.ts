import type { EntityChoice } from '../../../preload/contract/gateway.ts'
import { askPatiently } from '../askGateway.ts'
import { deferred, fail, pass, type CheckContext, type Outcome } from '../check.ts'
import { meter } from '../meters.ts'

/** The chosen vehicle carries this very device at the gateway. */
export async function checkVehicle(context: CheckContext): Promise<Outcome> {
  let text = rememberedText(context)
  let hint = ''
  for (;;) {
    if (text === '') {
      context.show({ say: 'Choose the vehicle that this device is in.', hint, meters: [], leftMs: null })
      const answer = await context.ask({ kind: 'choose', text: 'Name, plate or id of the vehicle', entity: 'vehicle', optional: false }).answered
      text = answer.choose?.trim() ?? ''
      if (text === '') {
        hint = 'A vehicle is needed: without it nobody can see that the device reports for the right one.'
        continue
      }
    }
    context.show({ say: `Asking the gateway for ${text}.`, hint: '', meters: [], leftMs: null })
    const reply = await askPatiently(context, () => context.gateway.findEntities('vehicle', text, context.signal))
    if (reply.kind === 'away') return deferred(`waits for the gateway: ${text}`)
    if (reply.kind === 'no') return fail(reply.why, 'Ask the back office whether your user may see vehicles.', ['gateway'])
    const [only] = reply.value
    if (reply.value.length === 1 && only) return judge(context, only)
    hint =
      reply.value.length === 0
        ? `The gateway shows no vehicle "${text}" to you: check the spelling, or ask the back office.`
        : `"${text}" fits ${reply.value.length} vehicles (${reply.value.slice(0, 3).map((vehicle) => vehicle.name).join(', ')} …): be more exact, or give the id.`
    text = ''
  }
}

/**
 * What was chosen before, where nothing spoke against it. After another result the person is asked again: otherwise the
 * wrong vehicle could never be left.
 */
function rememberedText({ job, step, previous }: CheckContext): string {
  const isOpen = previous === 'waiting' || previous === 'deferred'
  const chosen = job.answers.get(step.id)?.choose?.trim()
  if (chosen) return isOpen ? chosen : ''
  return isOpen || step.attempts === 1 ? job.vehicleText.trim() : ''
}

function judge(context: CheckContext, vehicle: EntityChoice): Outcome {
  const { imei } = context.job.device
  const shown = `${vehicle.name}${vehicle.plate ? `, ${vehicle.plate}` : ''}`
  context.show({
    say: `Checking ${shown}.`,
    hint: '',
    meters: [meter('Device at the gateway', vehicle.imei ? `…${vehicle.imei.slice(-6)}` : 'none', { target: `…${imei.slice(-6)}` })],
    leftMs: null
  })
  context.saw({ witness: 'gateway', what: `${shown} carries ${vehicle.imei ?? 'no device'}`, raw: vehicle, thresholds: { imei } })
  if (vehicle.imei === imei) {
    context.chooseVehicle({ id: vehicle.id, name: vehicle.name })
    return pass(`${shown} carries this device`, ['gateway'])
  }
  return vehicle.imei === null
    ? fail(`${shown} has no device at the gateway`, 'Ask the back office to assign this device to the vehicle, then run the step again.', ['gateway'])
    : fail(
        `${shown} carries another device (…${vehicle.imei.slice(-6)})`,
        'Check that this is the right vehicle. If it is, the back office must assign this device to it.',
        ['gateway']
      )
}
