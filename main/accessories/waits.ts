import { ulid } from 'ulid'
import type { AccessoryTest, PhotoView } from '../../preload/contract/accessories.ts'
import type { Json } from '../../preload/contract/define.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { rest } from '../time/pause.ts'

/** What one look at the gateway says. */
export type Look =
  | { kind: 'waiting'; note: string; photos?: PhotoView[] }
  | { kind: 'found'; note: string; evidence: Json; remedy?: string; photos?: PhotoView[] }
  /** It can be told now that it will not come, or that nobody can tell. */
  | { kind: 'problem'; note: string; remedy: string; evidence?: Json; photos?: PhotoView[] }

export interface NewWait {
  kind: AccessoryTest['kind']
  vehicleId: number
  title: string
  note: string
  limitMs: number
  everyMs: number
  look(signal: AbortSignal): Promise<Look>
  whenOver: { note: string; remedy: string }
  /** Told once, however it ended. */
  ended?(test: AccessoryTest): void
}

export interface Waits {
  start(wait: NewWait): AccessoryTest
  /** Newest first. */
  list(): AccessoryTest[]
  /** Waits for the wait to end; for tests and the terminal. */
  ended(id: string): Promise<AccessoryTest>
  stop(id: string): void
  close(): Promise<void>
}

const mostKept = 40
/** After a failure of the line: not at once again. */
const againAfterFailureMs = 5_000

/** Follows what has to come back from the gateway, each with a limit, until it is seen, told to be impossible, or stopped. */
export function createWaits(options: { changed(test: AccessoryTest): void; reportFault(error: unknown): void; now?: () => Date }): Waits {
  const now = options.now ?? (() => new Date())
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>()
  let tests: AccessoryTest[] = []

  function put(id: string, change: Partial<AccessoryTest>): AccessoryTest | undefined {
    const before = tests.find((test) => test.id === id)
    if (!before) return undefined
    const after = { ...before, ...change }
    if (JSON.stringify(before) === JSON.stringify(after)) return after
    tests = tests.map((test) => (test.id === id ? after : test))
    options.changed(after)
    return after
  }

  async function follow(id: string, wait: NewWait, signal: AbortSignal): Promise<void> {
    const endsAt = performance.now() + wait.limitMs
    const end = (change: Partial<AccessoryTest>): void => {
      const test = put(id, { ...change, endedAt: now().toISOString() })
      if (test) wait.ended?.(test)
    }
    for (;;) {
      let pauseMs = wait.everyMs
      try {
        const look = await wait.look(signal)
        if (signal.aborted) return end({ state: 'stopped', note: 'Stopped.' })
        const photos = look.photos ? { photos: look.photos } : {}
        if (look.kind === 'found') return end({ state: 'found', note: look.note, remedy: look.remedy ?? '', witness: 'gateway', evidence: look.evidence, ...photos })
        if (look.kind === 'problem') return end({ state: 'problem', note: look.note, remedy: look.remedy, evidence: look.evidence ?? null, ...photos })
        put(id, { note: look.note, ...photos })
      } catch (error) {
        if (signal.aborted) return end({ state: 'stopped', note: 'Stopped.' })
        if (!(error instanceof AppError)) throw error
        if (error.fate === 'refused' || error.code === 'NOT_AUTHENTICATED') return end({ state: 'problem', note: error.message, remedy: remedyOf(error) })
        pauseMs = Math.max(againAfterFailureMs, error.retryAtMs === undefined ? 0 : error.retryAtMs - Date.now())
        put(id, { note: `The gateway could not be asked: ${error.message}` })
      }
      const leftMs = endsAt - performance.now()
      if (leftMs <= 0) return end({ state: 'notFound', ...wait.whenOver })
      await rest(Math.min(pauseMs, leftMs), signal)
    }
  }

  return {
    start(wait) {
      const startedAt = now()
      const test: AccessoryTest = {
        id: ulid(),
        kind: wait.kind,
        vehicleId: wait.vehicleId,
        title: wait.title,
        state: 'waiting',
        startedAt: startedAt.toISOString(),
        endsAt: new Date(startedAt.getTime() + wait.limitMs).toISOString(),
        endedAt: null,
        note: wait.note,
        remedy: '',
        witness: null,
        evidence: null,
        photos: []
      }
      tests = [test, ...tests].filter((one, index) => index < mostKept || one.state === 'waiting')
      options.changed(test)
      const abort = new AbortController()
      const done = follow(test.id, wait, abort.signal)
        .catch((error: unknown) => {
          options.reportFault(error)
          put(test.id, { state: 'problem', note: 'A fault in Fitter. It was written to the log; please try again.', endedAt: now().toISOString() })
        })
        .finally(() => running.delete(test.id))
      running.set(test.id, { abort, done })
      return test
    },
    list: () => tests,
    async ended(id) {
      await running.get(id)?.done
      const test = tests.find((one) => one.id === id)
      if (!test) throw new AppError('NOT_FOUND', 'This test is gone.')
      return test
    },
    stop: (id) => running.get(id)?.abort.abort(),
    async close() {
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    }
  }
}

function remedyOf({ code }: AppError): string {
  if (code === 'NOT_FOUND' || code === 'NOT_PERMITTED') return 'Ask the back office whether your user may see this vehicle and use this accessory.'
  if (code === 'NOT_AUTHENTICATED') return 'Sign in at the gateway, then start the test again.'
  return ''
}
