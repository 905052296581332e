import { AppError } from '../../../preload/contract/errors.ts'

/** Collects the questions of one turn of the event loop: everyone gets a reading that began after the question. */
export function askTogether<Question, Answer>(
  begin: (questions: readonly Question[]) => (question: Question) => Promise<Answer>
): (question: Question) => Promise<Answer> {
  let open: { questions: Question[]; answerer: Promise<(question: Question) => Promise<Answer>> } | undefined
  return async (question) => {
    if (!open) {
      const questions: Question[] = []
      const answerer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        open = undefined
        return begin(questions)
      })
      open = { questions, answerer }
    }
    open.questions.push(question)
    const answer = await open.answerer
    return answer(question)
  }
}

/** A shared request: undefined when the gateway refuses or breaks the answer; then each one is asked separately. */
export async function orAlone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    const isAnswered = error instanceof AppError && error.status !== undefined
    if (isAnswered && error.code !== 'NOT_AUTHENTICATED' && error.code !== 'RATE_LIMITED') return undefined
    throw error
  }
}
