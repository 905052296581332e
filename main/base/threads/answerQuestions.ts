import { parentPort } from 'node:worker_threads'
import { AppError } from '../../../preload/contract/errors.ts'

/** Makes the file that calls it a thread (thread.ts): `work` answers a question, and may tell how far it is. */
export function answerQuestions<Asked>(work: (asked: Asked, tell: (news: unknown) => void) => Promise<unknown>): void {
  const port = parentPort
  if (!port) throw new Error('This file is started as a worker')
  port.on('message', (asked: Asked) => {
    work(asked, (news) => port.postMessage(news)).then(
      (result) => port.postMessage({ result }),
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error
        port.postMessage({ failure: error.toData() })
      }
    )
  })
}
