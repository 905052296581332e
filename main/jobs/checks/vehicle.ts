import type { EntityChoice } from '../../../preload/contract/gateway.ts'
import { askGateway, askPatiently } from '../askGateway.ts'
import { deferred, fail, pass, type CheckContext, type Outcome } from '../check.ts'
import { meter } from '../meters.ts'

/** The chosen vehicle carries this very device at the gateway. */
export async function checkVehicle(context: CheckContext): Promise<Outcome> {
  let text = rememberedText(context)
  let hint = ''
  let suggested: EntityChoice | null | undefined
  for (;;) {
    if (text === '') {
      suggested ??= await findSuggestion(context)
      context.show({ say: suggested ? `Is the device in ${nameOf(suggested)}? The gateway has it there.` : 'Choose the vehicle that this device is in.', hint, meters: [], leftMs: null })
      const answer = await context.ask({ kind: 'choose', text: 'Name, plate or id of the vehicle', entity: 'vehicle', optional: false, suggested }).answered
      text = answer.choose?.trim() ?? ''
      if (text === '') {
        hint = 'A vehicle is needed: without it nobody can see that the device reports for the right one.'
        continue
      }
    }
    context.show({ say: `Asking the gateway for ${text}.`, hint: '', meters: [], leftMs: null })
    const reply = await askPatiently(context, () => context.gateway.findExact('vehicle', text, context.signal))
    if (reply.kind === 'away') return deferred(`waits for the gateway: ${text}`)
    if (reply.kind === 'no') return fail(reply.why, 'Ask the back office whether your user may see vehicles.', ['gateway'])
    if (reply.value.kind === 'one') return judge(context, reply.value.entity)
    const { kind, similar } = reply.value
    hint =
      similar.length > 0
        ? `No single vehicle is called "${text}"; similar: ${similar.slice(0, 3).map((vehicle) => vehicle.name).join(', ')}. Give the exact name, the plate or the id.`
        : kind === 'notAllSeen'
          ? `The gateway did not show all vehicles, so "${text}" cannot be told for certain: give the id.`
          : `The gateway shows no vehicle "${text}" to you: check the spelling, or ask the back office.`
    text = ''
  }
}

/** Where the gateway has this device already: the person only has to confirm it. */
async function findSuggestion(context: CheckContext): Promise<EntityChoice | null> {
  context.show({ say: 'Asking the gateway where it has this device.', hint: '', meters: [], leftMs: null })
  const { imei } = context.job.device
  const reply = await askGateway(() => context.gateway.findVehicleOfDevice(imei, context.signal))
  return reply.kind === 'answer' && reply.value?.imei === imei ? reply.value : null
}

function nameOf({ name, plate }: EntityChoice): string {
  return plate ? `${name}, ${plate}` : name
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
  const shown = nameOf(vehicle)
  context.show({
    say: `Checking ${shown}.`,
    hint: '',
    meters: [meter('Device at the gateway', vehicle.imei ? `…${vehicle.imei.slice(-6)}` : 'none', { target: `…${imei.slice(-6)}` })],
    leftMs: null
  })
  context.saw({ witness: 'gateway', what: `${shown} carries ${vehicle.imei ?? 'no device'}`, raw: vehicle, thresholds: { imei } })
  if (vehicle.imei !== null && vehicle.imei !== imei) {
    return fail(
      `${shown} carries another device (…${vehicle.imei.slice(-6)})`,
      'Check that this is the right vehicle. If it is, the back office must assign this device to it.',
      ['gateway']
    )
  }
  context.chooseVehicle({ id: vehicle.id, name: vehicle.name })
  // A new installation begins with a vehicle that has no device: nothing is wrong, the gateway only has to be told.
  return vehicle.imei === imei
    ? pass(`${shown} carries this device`, ['gateway'])
    : deferred(`${shown} has no device at the gateway yet`, 'Assign this device to the vehicle at the gateway, or let the back office do it. The step ends by itself when the gateway shows it.')
}
