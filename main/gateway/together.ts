import { AppError } from '../../preload/contract/errors.ts'

/**
 * Collects the questions that come in one turn of the event loop. `begin` is given all of them, begins what answers them
 * together, and returns how each one is answered: everybody gets a reading that began after the question.
 */
export function askTogether<Question, Answer>(begin: (questions: readonly Question[]) => (question: Question) => Promise<Answer>): (question: Question) => Promise<Answer> {
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

/** What was asked for many at once: undefined where the gateway refuses or spoils that answer, and each one is asked for alone. */
export async function orAlone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    const isAnswered = error instanceof AppError && error.status !== undefined
    if (isAnswered && error.code !== 'NOT_AUTHENTICATED' && error.code !== 'RATE_LIMITED') return undefined
    throw error
  }
}
