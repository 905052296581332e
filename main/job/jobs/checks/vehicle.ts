import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { EntityChoice } from '../../../../preload/contract/gateway/gateway.ts'
import { askGateway, askPatiently } from '../engine/askGateway.ts'
import { deferred, fail, mismatch, pass, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import { copiedVehicle, nameWithPlate, recallVehicle } from '../engine/recall.ts'
import { makeMeter } from '../engine/meters.ts'
import { ended, withoutAnswer, type Finisher } from '../finish/finish.ts'
import { differenceOf } from '../../../gateway/waitingWork/kinds/fromCopy.ts'

/** The chosen vehicle has this device at the gateway. */
export async function checkVehicle(context: CheckContext): Promise<Outcome> {
  let text = rememberedText(context)
  let hint: Message | null = null
  let suggested: EntityChoice | null | undefined
  for (;;) {
    if (text === '') {
      suggested ??= await findSuggestion(context)
      context.show({
        say: suggested
          ? message('vehicle.gatewayHasItThere', { vehicle: nameWithPlate(suggested) })
          : message('vehicle.choose'),
        hint,
        meters: [],
        leftMs: null
      })
      const answer = await context.ask({
        kind: 'choose',
        text: message('vehicle.namePlateOrId'),
        entity: 'vehicle',
        optional: false,
        suggested
      }).answered
      text = answer.choose?.trim() ?? ''
      if (text === '') {
        hint = message('vehicle.needed')
        continue
      }
    }
    context.show({ say: message('vehicle.asking', { text }), hint: null, meters: [], leftMs: null })
    const reply = await askPatiently(context, () => context.gateway.findExact('vehicle', text, context.signal))
    if (reply.kind === 'away') return recallVehicle(context, text, reply.why)
    if (reply.kind === 'no') return fail(reply.why, message('vehicle.askWhetherShown'), ['gateway'])
    if (reply.value.kind === 'one') return judge(context, reply.value.entity)
    const { kind, similar } = reply.value
    hint =
      similar.length > 0
        ? message('vehicle.similar', { text, names: similar.slice(0, 3).map((vehicle) => vehicle.name) })
        : kind === 'notAllSeen'
          ? message('vehicle.notAllSeen', { text })
          : message('vehicle.notShown', { text })
    text = ''
  }
}

/** The vehicle in which the gateway already has this device: the person only has to confirm it. */
async function findSuggestion(context: CheckContext): Promise<EntityChoice | null> {
  context.show({ say: message('vehicle.askingWhere'), hint: null, meters: [], leftMs: null })
  const { imei } = context.job.device
  const reply = await askGateway(() => context.gateway.findVehicleOfDevice(imei, context.signal))
  return reply.kind === 'answer' && reply.value?.imei === imei ? reply.value : null
}

/** The earlier choice, if nothing contradicted it: otherwise a wrong choice could never be corrected. */
function rememberedText({ job, step, previous }: CheckContext): string {
  const isOpen = previous === 'waiting' || previous === 'deferred'
  const chosen = job.answers.get(step.id)?.choose?.trim()
  if (chosen) return isOpen ? chosen : ''
  return isOpen || step.attempts === 1 ? job.vehicleText.trim() : ''
}

async function judge(context: CheckContext, vehicle: EntityChoice): Promise<Outcome> {
  const { imei } = context.job.device
  const shown = nameWithPlate(vehicle)
  context.show({
    say: message('vehicle.checking', { vehicle: shown }),
    hint: null,
    meters: [
      makeMeter(message('vehicle.deviceAtGateway'), vehicle.imei ? lastDigits(vehicle.imei) : message('meters.none'), {
        target: lastDigits(imei)
      })
    ],
    leftMs: null
  })
  context.saw({
    witness: 'gateway',
    what: message('vehicle.carries', { vehicle: shown, imei: vehicle.imei ?? message('vehicle.noDevice') }),
    raw: vehicle,
    thresholds: { imei }
  })
  if (vehicle.imei !== null && vehicle.imei !== imei) {
    return mismatch(
      message('vehicle.carriesOther', { vehicle: shown, digits: vehicle.imei.slice(-6) }),
      message('vehicle.checkItIsRight'),
      ['gateway']
    )
  }
  // Reports of this device go to the vehicle that the gateway assigns it to, wherever it is installed.
  const elsewhere = vehicle.imei === null ? await findSuggestion(context) : null
  if (elsewhere && elsewhere.id !== vehicle.id) {
    return mismatch(
      message('vehicle.deviceElsewhere', { vehicle: shown, other: nameWithPlate(elsewhere) }),
      message('vehicle.checkItIsRight'),
      ['gateway']
    )
  }
  context.chooseVehicle({ id: vehicle.id, name: vehicle.name, ...(vehicle.plate ? { plate: vehicle.plate } : {}) })
  // A new installation starts with a vehicle without a device: that is not an error, the device only has to be assigned
  // at the gateway.
  return vehicle.imei === imei
    ? withFigure(plainMessage(vehicle.name), pass(message('vehicle.carriesThis', { vehicle: shown }), ['gateway']))
    : deferred(message('vehicle.noDeviceYet', { vehicle: shown }), message('vehicle.assign'))
}

function lastDigits(imei: string): Message {
  return message('identity.lastDigits', { digits: imei.slice(-6) })
}

/** The chosen or typed vehicle contains this device. */
export const finishVehicle: Finisher<'vehicle'> = async (step, { job, gateway, signal }) => {
  const { vehicle, answers, vehicleText, device } = job()
  const was = copiedVehicle(job())
  if (was) {
    const now = await askGateway(() => gateway.readRecord('vehicle', was.id, signal))
    if (now.kind !== 'answer') return withoutAnswer(now, message('vehicle.askWhetherShown'))
    const difference = differenceOf(was, now.value)
    if (difference)
      return ended(mismatch(difference, message('vehicle.askWhich'), ['gateway']), [
        { what: difference, raw: { copy: was, gateway: now.value } }
      ])
  }
  const text = vehicle ? String(vehicle.id) : answers.get(step.id)?.choose?.trim() || vehicleText.trim()
  const reply = await askGateway(() => gateway.findExact('vehicle', text, signal))
  if (reply.kind !== 'answer') return withoutAnswer(reply, message('vehicle.askWhetherShown'))
  const only = reply.value.kind === 'one' ? reply.value.entity : undefined
  if (!only) {
    const { similar } = reply.value as { similar: EntityChoice[] }
    const names = similar.slice(0, 3).map(({ name }) => name)
    const why = names.length > 0 ? message('vehicle.similar', { text, names }) : message('vehicle.notSingle', { text })
    return ended(fail(why, message('vehicle.askWhich'), ['gateway']), [{ what: why, raw: { wanted: text, similar } }])
  }
  if (only.imei === null) return { kind: 'open', why: message('vehicle.noDeviceYet', { vehicle: only.name }) }
  const seen = [{ what: message('vehicle.carries', { vehicle: only.name, imei: only.imei }), raw: only }]
  return only.imei === device.imei
    ? ended(pass(message('vehicle.carriesThis', { vehicle: only.name }), ['gateway']), seen, {
        id: only.id,
        name: only.name
      })
    : ended(
        mismatch(
          message('vehicle.carriesOther', { vehicle: only.name, digits: only.imei.slice(-6) }),
          message('vehicle.officeAssigns'),
          ['gateway']
        ),
        seen
      )
}
