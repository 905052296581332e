import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { refusalOf } from '../server/failures.ts'

export interface LaneParts {
  open(work: (client: ClientBase) => Promise<void>, signal: AbortSignal): Promise<void>
  sayError(error: unknown): AppError
  /** How long an idle connection stays open for the next query. */
  idleMs: number
}

/** One connection that queries use one after the other. */
export type Lane = ReturnType<typeof createLane>

interface Task {
  run(client: ClientBase): Promise<void>
  fail(error: unknown): void
  isOver(): boolean
}

/**
 * Runs one query after the other over one connection, which stays open for a while after the last one, so that the next
 * needs no new sign-in. A broken idle connection goes unnoticed: the first query over it is repeated over a new one, so
 * everything that uses a lane may run twice.
 */
export function createLane({ open, sayError, idleMs }: LaneParts) {
  const queue: Task[] = []
  let session: { ending: AbortController; ended: Promise<void> } | undefined
  let wake: (() => void) | undefined
  let isClosed = false
  /** What runs, even if its connection was closed and it has not noticed yet. */
  const runs = new Set<Promise<void>>()
  const stopped = (cause?: unknown) => new AppError('CANCELLED', message('team.stopped'), { cause })

  function begin(): void {
    const ending = new AbortController()
    const own = { ending, ended: Promise.resolve() }
    // Also when opening throws at once, as after leaving the team: the waiting caller gets the error.
    own.ended = (async () => open((client) => serve(client, ending.signal), ending.signal))()
      .catch((error: unknown) => {
        // No query was possible.
        if (!ending.signal.aborted) for (const task of queue.splice(0)) task.fail(error)
      })
      .finally(() => {
        session = undefined
        if (queue.length > 0) begin()
      })
    session = own
  }

  async function serve(client: ClientBase, signal: AbortSignal): Promise<void> {
    let isUsed = false
    while (!signal.aborted) {
      const task = queue.shift()
      if (!task) {
        if (!(await isAskedAgain(signal))) return
        continue
      }
      if (task.isOver()) continue
      try {
        await run(task, client)
      } catch (error) {
        if (isOfServer(error) || (error instanceof AppError && !signal.aborted)) task.fail(sayError(error))
        else if (isUsed && !signal.aborted) {
          queue.unshift(task)
          return
        } else {
          task.fail(signal.aborted ? stopped(error) : sayError(error))
          return
        }
      }
      isUsed = true
    }
  }

  async function run(task: Task, client: ClientBase): Promise<void> {
    const running = task.run(client)
    runs.add(running)
    try {
      await running
    } finally {
      runs.delete(running)
    }
  }

  function isAskedAgain(signal: AbortSignal): Promise<boolean> {
    if (idleMs === 0) return Promise.resolve(false)
    return new Promise((resolve) => {
      const end = (isAsked: boolean) => {
        clearTimeout(timer)
        wake = undefined
        signal.removeEventListener('abort', stop)
        resolve(isAsked)
      }
      const stop = () => end(false)
      const timer = setTimeout(() => end(false), idleMs)
      timer.unref()
      signal.addEventListener('abort', stop)
      wake = () => end(true)
    })
  }

  return {
    use<T>(act: (client: ClientBase) => Promise<T>, signal?: AbortSignal): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        let isOver = false
        let runsIn: typeof session
        const end = () => {
          isOver = true
          signal?.removeEventListener('abort', stop)
        }
        const fail = (error: unknown) => {
          end()
          reject(error instanceof Error ? error : new Error(String(error)))
        }
        // A caller that stops waiting is released; a running query ends with its connection.
        const stop = () => {
          fail(stopped())
          runsIn?.ending.abort()
        }
        if (isClosed || signal?.aborted) return stop()
        signal?.addEventListener('abort', stop)
        queue.push({
          async run(client) {
            runsIn = session
            const value = await act(client)
            runsIn = undefined
            end()
            resolve(value)
          },
          fail,
          isOver: () => isOver
        })
        if (session === undefined) begin()
        else wake?.()
      })
    },
    /** Cancels queries and closes the connection for good. Resolves when none of them runs any more. */
    async close(): Promise<void> {
      isClosed = true
      for (const task of queue.splice(0)) task.fail(stopped())
      session?.ending.abort()
      await session?.ended
      await Promise.allSettled(runs)
    }
  }
}

/** The server itself refused and still listens; any other failure leaves the connection in doubt. */
function isOfServer(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  if (refusalOf(error) !== null) return true
  return (
    typeof code === 'string' &&
    /^[0-9A-Z]{5}$/.test(code) &&
    severity === 'ERROR' &&
    !code.startsWith('57P') &&
    code !== '25006'
  )
}
