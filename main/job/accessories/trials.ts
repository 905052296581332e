import { ulid } from 'ulid'
import type { AccessoryTest, PhotoView } from '../../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { asMessage, message, type Message } from '../../../preload/contract/messages.ts'
import { rest } from '../../base/time/pause.ts'

type Said = string | Message

export type TrialReading =
  | { kind: 'waiting'; note: Said; photos?: PhotoView[] }
  | { kind: 'found'; note: Said; evidence: Json; remedy?: Said | null; photos?: PhotoView[] }
  /** It is already certain that it will not appear, or that nobody can tell. */
  | { kind: 'problem'; note: Said; remedy: Said | null; evidence?: Json; photos?: PhotoView[] }

export interface NewTrial {
  kind: AccessoryTest['kind']
  vehicleId: number
  title: Said
  note: Said
  limitMs: number
  everyMs: number
  look(signal: AbortSignal): Promise<TrialReading>
  whenOver: { note: Said; remedy: Said }
  /** Called once, with any result. */
  ended?(test: AccessoryTest): void
}

export type AccessoryTrials = ReturnType<typeof createAccessoryTrials>

const mostKept = 40
/** The pause after a connection failure. */
const againAfterFailureMs = 5_000

/** Follows what must appear at the gateway, each with a time limit, until it appears, is impossible, or is stopped. */
export function createAccessoryTrials(options: {
  changed(test: AccessoryTest): void
  reportFault(error: unknown): void
  now?: () => Date
}) {
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

  async function follow(id: string, test: NewTrial, signal: AbortSignal): Promise<void> {
    const endsAt = performance.now() + test.limitMs
    const end = (change: Partial<AccessoryTest>): void => {
      const ended = put(id, { ...change, endedAt: now().toISOString() })
      if (ended) test.ended?.(ended)
    }
    const stopped = { state: 'stopped', note: message('accessories.stopped') } as const
    for (;;) {
      let pauseMs = test.everyMs
      try {
        const look = await test.look(signal)
        if (signal.aborted) return end(stopped)
        const photos = look.photos ? { photos: look.photos } : {}
        const note = asMessage(look.note)
        if (look.kind === 'found')
          return end({
            state: 'found',
            note,
            remedy: saidOr(look.remedy),
            witness: 'gateway',
            evidence: look.evidence,
            ...photos
          })
        if (look.kind === 'problem')
          return end({
            state: 'problem',
            note,
            remedy: saidOr(look.remedy),
            evidence: look.evidence ?? null,
            ...photos
          })
        put(id, { note, ...photos })
      } catch (error) {
        if (signal.aborted) return end(stopped)
        if (!(error instanceof AppError)) throw error
        if (error.fate === 'refused' || error.code === 'NOT_AUTHENTICATED')
          return end({ state: 'problem', note: error.sentence, remedy: remedyOf(error) })
        pauseMs = Math.max(againAfterFailureMs, error.retryAtMs === undefined ? 0 : error.retryAtMs - Date.now())
        put(id, { note: message('accessories.gatewayNotAsked', { why: error.sentence }) })
      }
      const leftMs = endsAt - performance.now()
      if (leftMs <= 0)
        return end({ state: 'notFound', note: asMessage(test.whenOver.note), remedy: saidOr(test.whenOver.remedy) })
      await rest(Math.min(pauseMs, leftMs), signal)
    }
  }

  return {
    start(wanted: NewTrial): AccessoryTest {
      const startedAt = now()
      const test: AccessoryTest = {
        id: ulid(),
        kind: wanted.kind,
        vehicleId: wanted.vehicleId,
        title: asMessage(wanted.title),
        state: 'waiting',
        startedAt: startedAt.toISOString(),
        endsAt: new Date(startedAt.getTime() + wanted.limitMs).toISOString(),
        endedAt: null,
        note: asMessage(wanted.note),
        remedy: null,
        witness: null,
        evidence: null,
        photos: []
      }
      tests = [test, ...tests].filter((one, index) => index < mostKept || one.state === 'waiting')
      options.changed(test)
      const abort = new AbortController()
      const done = follow(test.id, wanted, abort.signal)
        .catch((error: unknown) => {
          options.reportFault(error)
          put(test.id, { state: 'problem', note: message('app.fault'), endedAt: now().toISOString() })
        })
        .finally(() => running.delete(test.id))
      running.set(test.id, { abort, done })
      return test
    },
    /** Newest first. */
    list: (): AccessoryTest[] => tests,
    /** Waits for the test to end; for tests and the terminal. */
    async ended(id: string): Promise<AccessoryTest> {
      await running.get(id)?.done
      const test = tests.find((one) => one.id === id)
      if (!test) throw new AppError('NOT_FOUND', message('accessories.testGone'))
      return test
    },
    stop: (id: string) => running.get(id)?.abort.abort(),
    async close(): Promise<void> {
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    }
  }
}

function saidOr(said: Said | null | undefined): Message | null {
  return said === undefined || said === null || said === '' ? null : asMessage(said)
}

function remedyOf({ code }: AppError): Message | null {
  if (code === 'NOT_FOUND' || code === 'NOT_PERMITTED') return message('accessories.askForRights')
  return code === 'NOT_AUTHENTICATED' ? message('accessories.signInAgain') : null
}
