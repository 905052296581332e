import type { EntityChoice } from '../../../preload/contract/gateway.ts'
import { askPatiently } from '../askGateway.ts'
import { deferred, fail, pass, type CheckContext, type Outcome } from '../check.ts'

const waitMs = 45_000
/** Gateway work that comes to nothing. */
export const givenUp: ReadonlySet<string> = new Set(['cancelled', 'superseded', 'expired'])

/** Associates the vehicle with a trailer or driver, through the table of gateway work that waits. */
export async function checkLink(context: CheckContext): Promise<Outcome> {
  const { job, operations, step } = context
  const earlier = operations.ofJob(job.id).findLast((operation) => operation.kind === 'entities.link' && !givenUp.has(operation.state))
  if (earlier) return waitFor(context, earlier.id)

  const { vehicle } = job
  const primary = vehicle ? { id: vehicle.id, text: vehicle.name } : { id: null, text: findVehicleText(context).trim() }
  let remembered = context.previous === 'waiting' || context.previous === 'deferred' ? job.answers.get(step.id)?.choose?.trim() : undefined
  let hint = ''
  for (;;) {
    let text = remembered || undefined
    remembered = undefined
    if (text === undefined) {
      context.show({ say: 'Which trailer or driver belongs to this vehicle?', hint, meters: [], leftMs: null })
      const answer = await context.ask({ kind: 'choose', text: 'Name or id of the asset; leave empty when there is none', entity: 'asset', optional: true }).answered
      text = answer.choose?.trim() ?? ''
    }
    if (text === '') return { state: 'notApplicable', summary: 'nothing to link', remedy: '', witness: ['person'] }
    if (primary.text === '') return fail('No vehicle is chosen', 'Run the step Vehicle first.', ['person'])
    context.show({ say: `Asking the gateway for ${text}.`, hint: '', meters: [], leftMs: null })
    const reply = await askPatiently(context, () => context.gateway.findExact('asset', text, context.signal))
    if (reply.kind === 'away') {
      operations.addLink({ jobId: job.id, primary, secondary: { id: null, text } })
      return deferred(`waits for the gateway: link with ${text}`)
    }
    if (reply.kind === 'no') return fail(reply.why, 'Ask the back office whether your user may see assets.', ['gateway'])
    if (reply.value.kind === 'one') return linkWith(context, reply.value.entity)
    const { kind, similar } = reply.value
    hint =
      similar.length > 0
        ? `No single asset is called "${text}"; similar: ${similar.slice(0, 3).map((asset) => asset.name).join(', ')}. Give the exact name, or the id.`
        : kind === 'notAllSeen'
          ? `The gateway did not show all assets, so "${text}" cannot be told for certain: give the id.`
          : `The gateway shows no asset "${text}" to you.`
  }
}

function findVehicleText({ job }: CheckContext): string {
  const vehicleStep = job.steps.find((step) => step.kind === 'vehicle')
  return (vehicleStep && job.answers.get(vehicleStep.id)?.choose) || job.vehicleText
}

async function linkWith(context: CheckContext, asset: EntityChoice): Promise<Outcome> {
  const { job, operations } = context
  if (!job.vehicle) return fail('No vehicle is chosen', 'Run the step Vehicle first.', ['gateway'])
  context.saw({ witness: 'gateway', what: `Asset ${asset.name}`, raw: asset })
  const { id } = operations.addLink({
    jobId: job.id,
    primary: { id: job.vehicle.id, text: job.vehicle.name },
    secondary: { id: asset.id, text: asset.name }
  })
  return waitFor(context, id)
}

async function waitFor(context: CheckContext, operationId: string): Promise<Outcome> {
  context.show({ say: 'Linking at the gateway.', hint: '', meters: [], leftMs: waitMs })
  const operation = await context.operations.settled(operationId, AbortSignal.any([context.signal, AbortSignal.timeout(waitMs)]))
  context.signal.throwIfAborted()
  for (const seen of operation.evidence) context.saw({ witness: 'gateway', what: seen.what, raw: seen.raw })
  if (operation.state === 'done') return pass(operation.reason, ['gateway'])
  if (operation.state === 'failed' || operation.state === 'needsAttention') {
    return fail(operation.reason, 'Look at it under Waiting: send it again, close it, or drop it with a reason.', ['gateway'])
  }
  if (operation.state === 'cancelled') return { state: 'notApplicable', summary: operation.reason, remedy: '', witness: ['person'] }
  return deferred(`waits for the gateway: ${operation.reason}`)
}
