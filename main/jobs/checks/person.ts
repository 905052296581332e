import { fail, pass, type CheckContext, type Outcome } from '../check.ts'
import { isSettled } from '../journal.ts'

/** A question that only the person beside the vehicle can answer. */
export async function checkQuestion(context: CheckContext): Promise<Outcome> {
  const expected = context.plan.expected ?? true
  context.show({ say: context.plan.instruction, hint: '', meters: [], leftMs: null })
  const answer = await context.ask({ kind: 'yesNo', text: context.plan.instruction }).answered
  const given = answer.answer === true
  context.saw({ witness: 'person', what: `${context.plan.instruction} ${given ? 'Yes' : 'No'}`, raw: answer })
  return given === expected
    ? pass(given ? 'yes' : 'no', ['person'])
    : fail(given ? 'yes' : 'no', 'Put it right, then run the step again.', ['person'])
}

/** A value that the person read off an instrument of theirs. */
export async function checkMeasurement(context: CheckContext): Promise<Outcome> {
  const { plan } = context
  const unit = plan.unit ?? ''
  const limits = { ...(plan.min === undefined ? {} : { min: plan.min }), ...(plan.max === undefined ? {} : { max: plan.max }) }
  let hint = ''
  for (;;) {
    context.show({ say: plan.instruction, hint, meters: [], leftMs: null })
    const answer = await context.ask({ kind: 'value', text: plan.instruction, unit }).answered
    const value = readNumber(answer.value)
    if (value === undefined) {
      hint = 'Type a number.'
      continue
    }
    context.saw({ witness: 'person', what: `Measured ${value} ${unit}`, raw: { value, unit }, thresholds: limits })
    const isLow = plan.min !== undefined && value < plan.min
    const isHigh = plan.max !== undefined && value > plan.max
    return isLow || isHigh
      ? fail(`${value} ${unit}: ${isLow ? `under ${plan.min}` : `over ${plan.max}`} ${unit}`, 'Find the cause before you go on, then measure again.', ['person'])
      : pass(`${value} ${unit}`, ['person'])
  }
}

/** With a point or a comma; nothing at all is no number. */
function readNumber(given: string | number | undefined): number | undefined {
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined
  const text = given?.trim().replace(',', '.') ?? ''
  return /^[-+]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** Closes the job. A step that failed or was never done blocks it; a waiver with a reason does not. An output that
 * may still be on blocks it always. */
export async function checkSignOff(context: CheckContext): Promise<Outcome> {
  const { step } = context
  const blockers = () => [
    ...context.job.steps.filter((other) => other.id !== step.id && !isSettled(other.state)).map((other) => other.title),
    ...[...context.job.outputsLeftOn].map((out) => `${out} not proved off`)
  ]
  context.show({
    say: blockers().length === 0 ? 'Everything is done. Sign off.' : 'Some steps are not done yet.',
    hint: '',
    meters: [],
    leftMs: null
  })
  const answer = await context.ask({ kind: 'signOff', text: 'Name of the technician and of the customer', blockers: blockers() }).answered
  const open = blockers()
  if (open.length > 0) {
    return fail(`Not done: ${open.join(', ')}`, 'Run these steps again, or waive them with a reason.', ['person'])
  }
  const { job } = context
  const technician = String(answer.value ?? '').trim() || job.technician
  const customer = answer.choose?.trim() || job.customer
  if (technician === '') return fail('The name of the technician is missing', 'Give the name and sign off again.', ['person'])
  context.giveNames({ technician, customer })
  context.saw({ witness: 'person', what: `Signed off by ${technician}${customer ? ` for ${customer}` : ''}`, raw: { technician, customer } })
  return pass(`signed by ${technician}`, ['person'])
}
