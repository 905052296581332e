import { asMessage, message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import { readTypedNumber } from '../../../../preload/base/messages/typedNumber.ts'
import { fail, pass, received, unreadable, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import { askPhotos } from '../photos/askPhotos.ts'

/** A question that only the person beside the vehicle can answer. */
export function checkQuestion(context: CheckContext<'question'>): Promise<Outcome> {
  switch (context.plan.form ?? 'yesNo') {
    case 'yesNo':
      return askYesNo(context)
    case 'text':
      return askText(context)
    case 'number':
      return askNumber(context)
    case 'choice':
      return askChoice(context)
  }
}

/** A value that the person reads from their own instrument. */
export function checkMeasurement(context: CheckContext<'measurement'>): Promise<Outcome> {
  return askNumber(context)
}

async function askYesNo(context: CheckContext<'question'>): Promise<Outcome> {
  const expected = context.plan.expected ?? true
  context.show({ say: context.plan.instruction, hint: null, meters: [], leftMs: null })
  const answer = await context.ask({ kind: 'yesNo', text: context.plan.instruction }).answered
  const given = answer.answer === true
  context.saw({
    witness: 'person',
    what: message(given ? 'person.answeredYes' : 'person.answeredNo', { question: context.plan.instruction }),
    raw: answer
  })
  return given === expected
    ? pass(given ? message('person.yes') : message('person.no'), ['person'])
    : fail(given ? message('person.yes') : message('person.no'), message('person.putRight'), ['person'])
}

const longestText = 2_000

async function askText(context: CheckContext<'question'>): Promise<Outcome> {
  const { instruction } = context.plan
  let hint: Message | null = null
  for (;;) {
    context.show({ say: instruction, hint, meters: [], leftMs: null })
    const answer = await context.ask({ kind: 'text', text: instruction, maxLength: longestText }).answered
    const text = String(answer.value ?? '').trim()
    if (text !== '') {
      context.saw({
        witness: 'person',
        what: message('person.answered', { question: instruction, answer: plainMessage(text) }),
        raw: { text }
      })
      return received(plainMessage(text), ['person'])
    }
    hint = message('person.typeAnswer')
  }
}

async function askChoice(context: CheckContext<'question'>): Promise<Outcome> {
  const { instruction, choices } = context.plan
  if (!choices) return unreadable(message('person.noChoices'), message('person.mendChecklist'))
  // Without an answer that fails, any answer fits.
  const isCompared = choices.some(({ passes }) => passes === false)
  const shown = choices.map(({ id, text }) => ({ id, text: asMessage(text) }))
  let hint: Message | null = null
  for (;;) {
    context.show({ say: instruction, hint, meters: [], leftMs: null })
    const answer = await context.ask({ kind: 'choice', text: instruction, choices: shown }).answered
    const chosen = choices.find(({ id }) => id === answer.choose?.trim())
    if (chosen) {
      const text = asMessage(chosen.text)
      context.saw({
        witness: 'person',
        what: message('person.answered', { question: instruction, answer: text }),
        raw: { id: chosen.id, passes: chosen.passes ?? true }
      })
      if (chosen.passes === false) return fail(text, message('person.putRight'), ['person'])
      return isCompared ? pass(text, ['person']) : received(text, ['person'])
    }
    hint = message('person.chooseOne')
  }
}

async function askNumber(context: CheckContext<'question' | 'measurement'>): Promise<Outcome> {
  const { plan } = context
  const unit = plan.unit ?? ''
  const limits = {
    ...(plan.min === undefined ? {} : { min: plan.min }),
    ...(plan.max === undefined ? {} : { max: plan.max })
  }
  let hint: Message | null = null
  for (;;) {
    context.show({ say: plan.instruction, hint, meters: [], leftMs: null })
    const answer = await context.ask({ kind: 'value', text: plan.instruction, unit, ...limits }).answered
    const value = await askWhichNumber(context, answer.value, unit)
    if (value === undefined) {
      hint = message('person.typeNumber')
      continue
    }
    context.saw({
      witness: 'person',
      what: message('person.measured', { value, unit }),
      raw: { value, unit },
      thresholds: limits
    })
    const isLow = plan.min !== undefined && value < plan.min
    const isHigh = plan.max !== undefined && value > plan.max
    if (isLow)
      return fail(message('person.under', { value, unit, limit: plan.min ?? 0 }), message('person.findCause'), [
        'person'
      ])
    if (isHigh)
      return fail(message('person.over', { value, unit, limit: plan.max ?? 0 }), message('person.findCause'), [
        'person'
      ])
    const what = message('person.value', { value, unit })
    const isCompared = plan.min !== undefined || plan.max !== undefined
    return withFigure(what, isCompared ? pass(what, ['person']) : received(what, ['person']))
  }
}

/** The number that a person typed; if it is ambiguous, the person chooses the meaning. */
export async function askWhichNumber(
  context: Pick<CheckContext, 'ask' | 'show'>,
  given: string | number | undefined,
  unit: string
): Promise<number | undefined> {
  const readings = readTypedNumber(given)
  const [only, other] = readings
  if (other === undefined) return only
  const text = message('person.whichNumber', { typed: String(given).trim() })
  context.show({ say: text, hint: null, meters: [], leftMs: null })
  const { choose } = await context.ask({
    kind: 'choice',
    text,
    choices: readings.map((value) => ({ id: String(value), text: message('person.value', { value, unit }) }))
  }).answered
  return readings.find((value) => String(value) === choose?.trim())
}

/** Pictures that must be visible. */
export async function checkPhoto(context: CheckContext<'photo'>): Promise<Outcome> {
  const { instruction, purpose = 'other', minPhotos = 1 } = context.plan
  const photos = await askPhotos(context, { text: instruction, purpose, minPhotos })
  const n = photos.length
  context.saw({
    witness: 'person',
    what: message('person.photosKept', { n }),
    raw: { sha256: photos.map(({ sha256 }) => sha256) },
    thresholds: { minPhotos }
  })
  return withFigure(message('person.photos', { n }), pass(message('person.photosKept', { n }), ['person']))
}
