import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { LoggedJob } from '../record/journal.ts'
import { askGateway, askPatiently } from '../engine/askGateway.ts'
import { recallVehicle } from '../engine/recall.ts'
import { fail, type CheckContext, type Outcome } from '../engine/check.ts'
import { ended, withoutAnswer, type DeferredOptions, type Finish } from '../finish/finish.ts'
import type { Step } from '../../../../preload/contract/job/jobs.ts'

type VehicleRef = NonNullable<LoggedJob['vehicle']>

/** The vehicle of a step: the job's or an entered one, also with another device or none: an exchange begins so. */
export async function vehicleOfStep(context: CheckContext): Promise<VehicleRef | Outcome> {
  if (context.job.vehicle) return context.job.vehicle
  const { imei } = context.job.device
  let text =
    context.previous === 'waiting'
      ? context.job.answers.get(context.step.id)?.choose?.trim() || context.job.vehicleText.trim()
      : ''
  let hint: Message | null = null
  for (;;) {
    if (text === '') {
      const suggestion = await askGateway(() => context.gateway.findVehicleOfDevice(imei, context.signal))
      const suggested = suggestion.kind === 'answer' ? suggestion.value : null
      context.show({ say: message('vehicle.choose'), hint, meters: [], leftMs: null })
      const answer = await context.ask({
        kind: 'choose',
        text: message('vehicle.namePlateOrId'),
        entity: 'vehicle',
        optional: false,
        suggested
      }).answered
      text = answer.choose?.trim() ?? ''
      hint = text === '' ? message('vehicle.needed') : null
      continue
    }
    context.show({ say: message('vehicle.asking', { text }), hint: null, meters: [], leftMs: null })
    const reply = await askPatiently(context, () => context.gateway.findExact('vehicle', text, context.signal))
    if (reply.kind === 'away') return recallVehicle(context, text, reply.why)
    if (reply.kind === 'no') return fail(reply.why, message('vehicle.askWhetherShown'), ['gateway'])
    if (reply.value.kind === 'one') {
      const { id, name, plate } = reply.value.entity
      const vehicle = { id, name, ...(plate ? { plate } : {}) }
      context.chooseVehicle(vehicle)
      return vehicle
    }
    hint =
      reply.value.similar.length > 0
        ? message('vehicle.similar', { text, names: reply.value.similar.slice(0, 3).map((vehicle) => vehicle.name) })
        : message('vehicle.notShown', { text })
    text = ''
  }
}

/** The job's vehicle, otherwise the one that the person typed while the gateway could not be reached. */
export async function findVehicleLater(
  step: Step,
  { job, gateway, signal }: DeferredOptions
): Promise<{ id: number; name: string } | Finish> {
  const { vehicle, answers, vehicleText } = job()
  if (vehicle) return vehicle
  const text = answers.get(step.id)?.choose?.trim() || vehicleText.trim()
  if (text === '') return { kind: 'open', why: message('vehicle.choose') }
  const reply = await askGateway(() => gateway.findExact('vehicle', text, signal))
  if (reply.kind !== 'answer') return withoutAnswer(reply, message('vehicle.askWhetherShown'))
  if (reply.value.kind === 'one') return { id: reply.value.entity.id, name: reply.value.entity.name }
  const names = reply.value.similar.slice(0, 3).map(({ name }) => name)
  return ended(
    fail(
      names.length > 0 ? message('vehicle.similar', { text, names }) : message('vehicle.notSingle', { text }),
      message('vehicle.askWhich'),
      ['gateway']
    )
  )
}
