import { AppError } from '../../../preload/contract/errors.ts'
import { answersFile, type Answer, type AnswersFile, type Prompt } from '../../../preload/contract/job/jobs.ts'
import { message } from '../../../preload/contract/messages.ts'
import { checkJson } from '../../base/reading/checkJson.ts'
import { readBounded } from './readBounded.ts'
import { usageError } from '../output/usage.ts'

/** Signatures are pictures. */
const mostAnswersBytes = 20_000_000

export function readAnswers(file: string): AnswersFile {
  return checkAnswers(readAnswersJson(file))
}

export function readAnswersJson(file: string): Record<string, unknown> {
  const read = checkJson(readText(file))
  if (read.kind === 'json' && isRecord(read.value)) return read.value
  throw usageError(message('terminal.answersNotJson', { file }))
}

function readText(file: string): string {
  try {
    return readBounded(file, mostAnswersBytes).toString('utf8')
  } catch (error) {
    if (error instanceof AppError && error.sentence.id === 'terminal.fileNotRead')
      throw usageError(message('terminal.answersNotRead', { file }))
    throw error
  }
}

export function checkAnswers(content: unknown): AnswersFile {
  const parsed = answersFile.safeParse(
    isRecord(content) && isRecord(content['steps'])
      ? { ...content, steps: mapValues(content['steps'], plainAnswer) }
      : content
  )
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw usageError(
    message('terminal.answersForm', { field: issue?.path.join('.') || 'file', problem: issue?.message ?? 'wrong form' })
  )
}

/** People also write an id as a number, and the two confirmations of an output inside `answer`. */
function plainAnswer(step: unknown): unknown {
  if (!isRecord(step)) return step
  const { answer, choose, ...rest } = step
  return {
    ...rest,
    ...(isRecord(answer) ? answer : answer === undefined ? {} : { answer }),
    ...(choose === undefined ? {} : { choose: typeof choose === 'number' ? String(choose) : choose })
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapValues(record: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** What the file says about a step; a checklist may give a step any id. */
export function stepInFile({ steps }: AnswersFile, stepId: string): AnswersFile['steps'][string] | undefined {
  return Object.hasOwn(steps, stepId) ? steps[stepId] : undefined
}

/** The file's answer to a question; undefined without one, so that a person is asked. */
export function answerFromFile(file: AnswersFile, stepId: string, prompt: Prompt): Answer | undefined {
  const given = stepInFile(file, stepId)
  switch (prompt.kind) {
    case 'imei':
      return given?.value === undefined ? undefined : { value: String(given.value) }
    case 'value':
      return given?.value === undefined ? undefined : { value: given.value }
    case 'text':
      return given?.value === undefined ? undefined : { value: String(given.value) }
    case 'choice':
      return given?.choose === undefined ? undefined : { choose: given.choose }
    case 'photo':
      return given?.photo === undefined ? undefined : { photo: given.photo, answer: true }
    // A step may ask for readiness at its start and at its end: one answer covers both.
    case 'ready':
    case 'picture':
    case 'yesNo':
      return given?.answer === undefined ? undefined : { answer: given.answer }
    case 'choose':
      if (given?.choose !== undefined) return { choose: given.choose }
      return prompt.optional ? { choose: '' } : undefined
    case 'lines':
      // Operating the inputs is the answer; the file may name the ordered ones.
      return given?.choose === undefined ? { answer: true } : { choose: given.choose }
    case 'arm':
      return given?.armed === undefined ? undefined : { armed: given.armed }
    case 'effect':
      return given?.effect === undefined ? undefined : { effect: given.effect }
    case 'signOff':
      return file.technician === undefined
        ? undefined
        : {
            value: file.technician,
            choose: file.customer ?? '',
            ...(given?.signatures ? { signatures: given.signatures } : {})
          }
  }
}
