import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { Answer, Prompt } from '../../../../preload/contract/job/jobs.ts'

/** An open question to the person. It accepts one answer, of its own kind. */
export type Question = ReturnType<typeof openQuestion>

const wanted: Record<Prompt['kind'], (keyof Answer)[]> = {
  imei: ['value'],
  value: ['value'],
  text: ['value'],
  choice: ['choose'],
  ready: ['answer'],
  photo: ['answer'],
  picture: ['answer'],
  yesNo: ['answer'],
  choose: ['choose'],
  lines: ['answer', 'choose', 'notWired'],
  arm: ['armed'],
  effect: ['effect'],
  signOff: ['value', 'choose']
}

export function openQuestion(prompt: Prompt, signal: AbortSignal) {
  let given: Answer | undefined
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const stopped = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stopped, { once: true })
  // A check may poll `given` and never look at the promise: its rejection on stop is no fault then.
  promise.catch(() => undefined)

  return {
    asked: {
      answered: promise,
      get given() {
        return given
      }
    },
    /** Throws INVALID_REQUEST for an answer to another question. */
    assertFits(answer: Answer): void {
      const names = wanted[prompt.kind]
      // Signing off may leave both names as they are.
      if (prompt.kind === 'signOff' || names.some((name) => answer[name] !== undefined)) return
      throw new AppError('INVALID_REQUEST', message('jobs.asksSomethingElse', { question: prompt.text, names }))
    },
    give(answer: Answer): void {
      given = answer
      signal.removeEventListener('abort', stopped)
      resolve(answer)
    }
  }
}
