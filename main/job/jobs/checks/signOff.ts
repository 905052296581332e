import { message } from '../../../../preload/contract/messages.ts'
import { fail, pass, type CheckContext, type Outcome } from '../engine/check.ts'
import { isSettled } from '../record/journal.ts'

/**
 * Closes the job. A failed or missing step blocks it, a skipped one does not; an output that may still be on always
 * does.
 */
export async function checkSignOff(context: CheckContext<'signOff'>): Promise<Outcome> {
  const { step } = context
  const wanted = context.plan.signatures
  const blockers = () => [
    ...context.job.steps.filter((other) => other.id !== step.id && !isSettled(other.state)).map((other) => other.title),
    ...[...new Set([...context.job.outputsLeftOn, ...context.outputs.mayBeOn()])].map((out) =>
      message('signOff.notProvedOff', { out })
    )
  ]
  const skipped = context.job.steps.filter(({ state }) => state === 'waived').length
  const done = skipped === 0 ? message('signOff.allDone') : message('signOff.restDone', { skipped })
  context.show({
    say: blockers().length === 0 ? done : message('signOff.someOpen'),
    hint: null,
    meters: [],
    leftMs: null
  })
  const asked = context.ask({
    kind: 'signOff',
    text: message('signOff.names'),
    blockers: blockers(),
    ...(wanted ? { signatures: wanted } : {})
  })
  const answer = await asked.answered
  const open = blockers()
  if (open.length > 0) {
    return fail(message('signOff.notDone', { steps: open }), message('signOff.runOrWaive'), ['person'])
  }
  const { job } = context
  const technician = String(answer.value ?? '').trim() || job.technician
  const customer = answer.choose?.trim() || job.customer
  const { signatures = {} } = answer
  if (technician === '') return fail(message('signOff.technicianMissing'), message('signOff.giveName'), ['person'])
  if (wanted && !signatures.technician)
    return fail(message('signOff.technicianNotSigned'), message('signOff.sign'), ['person'])
  if (wanted === 'both' && !signatures.customer)
    return fail(message('signOff.customerNotSigned'), message('signOff.sign'), ['person'])
  context.giveNames({ technician, customer })
  context.saw({
    witness: 'person',
    what: customer ? message('signOff.signedFor', { technician, customer }) : message('signOff.signed', { technician }),
    raw: { technician, customer, ...(Object.keys(signatures).length > 0 ? { signatures } : {}) }
  })
  return pass(message('signOff.signedBy', { technician }), ['person'])
}
