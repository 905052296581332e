import { on } from 'node:events'
import { Worker, type Transferable, type WorkerOptions } from 'node:worker_threads'
import { AppError, type ErrorData } from '../../../preload/contract/errors.ts'

export interface Question<News> {
  /** Ends the thread; its reason is thrown. */
  signal?: AbortSignal | undefined
  /** Ends the thread that has not answered by then, with a TimeoutError. */
  limitMs?: number
  transfer?: Transferable[]
  /** What the thread tells before its answer; `reply` is a message to it. */
  onNews?(news: News, reply: (more: unknown) => void): void
}

/**
 * A thread that answers one question after the other (answerQuestions.ts). It starts with the first one, and whatever
 * fails ends it; then the next question starts a new one. `name` is a file beside `module`.
 */
export function openThread<Asked, Answer, News = never>(
  name: string,
  module: string,
  { idleMs, ...options }: WorkerOptions & { idleMs?: number } = {}
) {
  // A TypeScript file when run from the sources; beside the bundle in the built application.
  const file = new URL(`./${name}.${module.endsWith('.ts') ? 'ts' : 'mjs'}`, module)
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(file, options)
    // It may also end while nobody waits for an answer.
    started.on('error', () => undefined)
    started.on('exit', () => {
      if (worker === started) worker = undefined
    })
    return started
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  async function askNow(asked: Asked, { signal, limitMs, transfer, onNews }: Question<News>): Promise<Answer> {
    clearTimeout(idle)
    const ends = AbortSignal.any([
      ...(signal ? [signal] : []),
      ...(limitMs === undefined ? [] : [AbortSignal.timeout(limitMs)])
    ])
    try {
      ends.throwIfAborted()
      const thread = (worker ??= start())
      const messages = on(thread, 'message', { signal: ends, close: ['exit'] })
      thread.postMessage(asked, transfer)
      for await (const [told] of messages as AsyncIterable<[{ result: Answer } | { failure: ErrorData } | News]>) {
        const answer = told as { result?: Answer; failure?: ErrorData }
        if (answer.failure) {
          const { code, message, retryable } = answer.failure
          throw new AppError(code, message, { retryable })
        }
        if ('result' in answer) {
          if (idleMs !== undefined) idle = setTimeout(() => void close(), idleMs).unref()
          return answer.result as Answer
        }
        onNews?.(told as News, (more) => thread.postMessage(more))
      }
      throw new Error(`The thread ${name} ended without an answer`)
    } catch (error) {
      const why: unknown = ends.aborted ? ends.reason : error
      await close()
      throw why
    }
  }

  return {
    ask(asked: Asked, question: Question<News> = {}): Promise<Answer> {
      const answer = last.then(() => askNow(asked, question))
      last = answer.catch(() => undefined)
      return answer
    },
    close
  }
}
