import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { EntityChoice } from '../../../../preload/contract/gateway/gateway.ts'
import { askPatiently } from '../engine/askGateway.ts'
import type { LoggedJob } from '../record/journal.ts'
import { copiedAsset, copiedVehicle } from '../engine/recall.ts'
import { deferred, fail, notApplicable, pass, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import { awaitWork, givenUp } from '../engine/gatewayWork.ts'
import { ended, type Finisher } from '../finish/finish.ts'

const waitMs = 45_000

/** Associates the vehicle with a trailer or driver, through waiting work. */
export async function checkLink(context: CheckContext): Promise<Outcome> {
  const { job, operations, step } = context
  const earlier = operations
    .ofJob(job.id)
    .findLast((operation) => operation.kind === 'entities.link' && !givenUp.has(operation.state))
  if (earlier) return waitFor(context, earlier.id)

  // Said when the job was created. An answer of an earlier attempt is asked for again.
  if (step.attempts === 1 && job.answers.get(step.id)?.choose === '') return notApplicable(message('link.nothing'))
  const { vehicle } = job
  const primary = vehicle ? { id: vehicle.id, text: vehicle.name } : { id: null, text: typedVehicle(job) }
  let remembered =
    context.previous === 'waiting' || context.previous === 'deferred'
      ? job.answers.get(step.id)?.choose?.trim()
      : undefined
  let hint: Message | null = null
  for (;;) {
    let text = remembered || undefined
    remembered = undefined
    if (text === undefined) {
      context.show({ say: message('link.which'), hint, meters: [], leftMs: null })
      const answer = await context.ask({
        kind: 'choose',
        text: message('link.nameOrId'),
        entity: 'asset',
        optional: true
      }).answered
      text = answer.choose?.trim() ?? ''
    }
    if (text === '') return notApplicable(message('link.nothing'))
    if (primary.text === '') return fail(message('link.noVehicle'), message('link.runVehicleFirst'), ['person'])
    context.show({ say: message('vehicle.asking', { text }), hint: null, meters: [], leftMs: null })
    const reply = await askPatiently(context, () => context.gateway.findExact('asset', text, context.signal))
    if (reply.kind === 'away') {
      const known = await context.gateway.findCopied('asset', text)
      const asset = copiedAsset(known)
      const copied = [copiedVehicle(job), asset].filter((one) => one !== undefined)
      operations.addLink({
        jobId: job.id,
        primary,
        secondary: asset ? { id: asset.id, text: asset.name } : { id: null, text },
        copied
      })
      return deferred(
        asset
          ? message('copied.asset', { asset: asset.name, copiedAt: asset.copiedAt ?? '' })
          : message('link.waitsToLink', { text })
      )
    }
    if (reply.kind === 'no') return fail(reply.why, message('link.askWhetherShown'), ['gateway'])
    if (reply.value.kind === 'one') return linkWith(context, reply.value.entity)
    const { kind, similar } = reply.value
    hint =
      similar.length > 0
        ? message('link.similar', { text, names: similar.slice(0, 3).map((asset) => asset.name) })
        : kind === 'notAllSeen'
          ? message('link.notAllSeen', { text })
          : message('link.notShown', { text })
  }
}

/** The person's name for the vehicle, for use while the gateway cannot identify it. */
export function typedVehicle({
  steps,
  answers,
  vehicleText
}: Pick<LoggedJob, 'steps' | 'answers' | 'vehicleText'>): string {
  const vehicleStep = steps.find((step) => step.kind === 'vehicle')
  return ((vehicleStep && answers.get(vehicleStep.id)?.choose) || vehicleText).trim()
}

async function linkWith(context: CheckContext, asset: EntityChoice): Promise<Outcome> {
  const { job, operations } = context
  if (!job.vehicle) return fail(message('link.noVehicle'), message('link.runVehicleFirst'), ['gateway'])
  context.saw({ witness: 'gateway', what: message('link.asset', { name: asset.name }), raw: asset })
  const { id } = operations.addLink({
    jobId: job.id,
    primary: { id: job.vehicle.id, text: job.vehicle.name },
    secondary: { id: asset.id, text: asset.name },
    copied: [copiedVehicle(job)].filter((one) => one !== undefined)
  })
  const outcome = await waitFor(context, id)
  return outcome.state === 'pass' ? withFigure(plainMessage(asset.name), outcome) : outcome
}

async function waitFor(context: CheckContext, operationId: string): Promise<Outcome> {
  context.show({ say: message('link.linking'), hint: null, meters: [], leftMs: waitMs })
  const { state, reason } = await awaitWork(context, operationId, waitMs)
  if (state === 'done') return pass(reason, ['gateway'])
  if (state === 'failed' || state === 'needsAttention')
    return fail(reason, message('link.lookUnderWaiting'), ['gateway'])
  if (state === 'cancelled') return notApplicable(reason)
  return deferred(message('jobs.waitsForGateway', { why: reason }))
}

export const finishLink: Finisher<'link'> = (_step, { job, operations }) => {
  const links = operations.ofJob(job().id).filter((operation) => operation.kind === 'entities.link')
  const link = links.findLast(({ state }) => !givenUp.has(state)) ?? links.at(-1)
  if (!link) return { kind: 'open', why: message('link.notAmongWork') }
  const seen = [{ what: link.reason, raw: { operation: link.id, state: link.state } }]
  if (link.state === 'done') return ended(pass(link.reason, ['gateway']), seen)
  if (givenUp.has(link.state)) return ended(notApplicable(link.reason), seen)
  if (link.state === 'failed') return ended(fail(link.reason, message('link.chooseAnother'), ['gateway']), seen)
  return { kind: 'open', why: link.reason }
}
