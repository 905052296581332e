import { message, type Message } from '../../../preload/contract/messages.ts'
import { fail, pass, withFigure, type CheckContext, type Outcome } from '../check.ts'
import { isSettled } from '../journal.ts'

/** A question that only the person beside the vehicle can answer. */
export async function checkQuestion(context: CheckContext<'question'>): Promise<Outcome> {
  const expected = context.plan.expected ?? true
  context.show({ say: context.plan.instruction, hint: null, meters: [], leftMs: null })
  const answer = await context.ask({ kind: 'yesNo', text: context.plan.instruction }).answered
  const given = answer.answer === true
  context.saw({ witness: 'person', what: message(given ? 'person.answeredYes' : 'person.answeredNo', { question: context.plan.instruction }), raw: answer })
  return given === expected
    ? pass(given ? message('person.yes') : message('person.no'), ['person'])
    : fail(given ? message('person.yes') : message('person.no'), message('person.putRight'), ['person'])
}

/** A value that the person read off an instrument of theirs. */
export async function checkMeasurement(context: CheckContext<'measurement'>): Promise<Outcome> {
  const { plan } = context
  const unit = plan.unit ?? ''
  const limits = { ...(plan.min === undefined ? {} : { min: plan.min }), ...(plan.max === undefined ? {} : { max: plan.max }) }
  let hint: Message | null = null
  for (;;) {
    context.show({ say: plan.instruction, hint, meters: [], leftMs: null })
    const answer = await context.ask({ kind: 'value', text: plan.instruction, unit }).answered
    const value = readNumber(answer.value)
    if (value === undefined) {
      hint = message('person.typeNumber')
      continue
    }
    context.saw({ witness: 'person', what: message('person.measured', { value, unit }), raw: { value, unit }, thresholds: limits })
    const isLow = plan.min !== undefined && value < plan.min
    const isHigh = plan.max !== undefined && value > plan.max
    if (isLow) return fail(message('person.under', { value, unit, limit: plan.min ?? 0 }), message('person.findCause'), ['person'])
    if (isHigh) return fail(message('person.over', { value, unit, limit: plan.max ?? 0 }), message('person.findCause'), ['person'])
    return withFigure(message('person.value', { value, unit }), pass(message('person.value', { value, unit }), ['person']))
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
    ...[...context.job.outputsLeftOn].map((out) => message('signOff.notProvedOff', { out }))
  ]
  context.show({
    say: blockers().length === 0 ? message('signOff.allDone') : message('signOff.someOpen'),
    hint: null,
    meters: [],
    leftMs: null
  })
  const answer = await context.ask({ kind: 'signOff', text: message('signOff.names'), blockers: blockers() }).answered
  const open = blockers()
  if (open.length > 0) {
    return fail(message('signOff.notDone', { steps: open }), message('signOff.runOrWaive'), ['person'])
  }
  const { job } = context
  const technician = String(answer.value ?? '').trim() || job.technician
  const customer = answer.choose?.trim() || job.customer
  if (technician === '') return fail(message('signOff.technicianMissing'), message('signOff.giveName'), ['person'])
  context.giveNames({ technician, customer })
  context.saw({ witness: 'person', what: customer ? message('signOff.signedFor', { technician, customer }) : message('signOff.signed', { technician }), raw: { technician, customer } })
  return pass(message('signOff.signedBy', { technician }), ['person'])
}
