import type { Json } from '../../../preload/contract/define.ts'
import type { Sparse } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { GatewayClient } from './client.ts'
import type { RawdataEvent } from './records/data.ts'
import { askTogether, orAlone } from './together.ts'

interface CounterReports {
  /** When the gateway last received a report, by its own clock (epoch ms); null when unknown. */
  lastReportMs: number | null
  /** What the device counted since then, whatever the counter was set to; null when the events do not contain it. */
  counted: number | null
  /** The vehicle counter in that report, including any set value; null when the events do not contain it. */
  shown: number | null
  raw: Json
}

interface Question {
  vid: number
  counter: string
  sinceMs: number
}
interface Range {
  fromMs: number
  toMs: number
}
type Event = Sparse<RawdataEvent>

/** How far back Fitter searches for the report before a moment. */
const countedBeforeMs = 7 * 86_400_000
/** Enough events to include each vehicle, few enough for one answer. */
const mostEvents = 1_000

/**
 * Reads the newest report of a vehicle, and what the device counted since a moment: setting a counter leaves the
 * `counter` of events unchanged and changes `vehicle_counter` ("Counters"). The document does not say which field of a
 * device record is its last report; the newest event shows it. Vehicles that are asked for at the same time share two
 * requests.
 */
export function createCounterReports(
  client: () => Promise<GatewayClient>
): (question: Question) => Promise<CounterReports> {
  /** Counters without a matching event field: the gateway refused the name. */
  const unnamed = new Set<string>()

  return askTogether<Question, CounterReports>((questions) => {
    const ofCounter = new Map(
      [...Map.groupBy(questions, ({ counter }) => counter)].map(([counter, some]) => [counter, answerTogether(some)])
    )
    return async (question) => {
      const answer = ofCounter.get(question.counter)
      if (!answer) throw new Error('A question was not among those that were collected')
      return answer(question)
    }
  })

  function answerTogether(questions: readonly Question[]): (question: Question) => Promise<CounterReports> {
    const newest = newestOfAll(questions, ({ sinceMs }, nowMs) => ({ fromMs: sinceMs, toMs: nowMs + 60_000 }))
    const isReported = async (question: Question): Promise<boolean> =>
      (systemMs(await newest(question)) ?? 0) > question.sinceMs
    // Compares only values reported since then with those from before.
    const reported = Promise.allSettled(questions.map(isReported)).then((results) =>
      questions.filter((_, index) => results[index]?.status === 'fulfilled' && results[index].value)
    )
    const before = reported.then((some) =>
      newestOfAll(some, ({ sinceMs }) => ({ fromMs: sinceMs - countedBeforeMs, toMs: sinceMs }))
    )

    return async (question) => {
      const event = await newest(question)
      const lastReportMs = systemMs(event)
      if (!event || !(await isReported(question)))
        return { lastReportMs, counted: null, shown: null, raw: (event ?? null) as Json }
      const [now, then] = [event, await (await before)(question)].map((one) => numberOf(one?.[question.counter]))
      const counted = typeof now === 'number' && typeof then === 'number' && now >= then ? now - then : null
      return { lastReportMs, counted, shown: numberOf(event[`vehicle_${question.counter}`]), raw: event as Json }
    }
  }

  /**
   * The newest event of each vehicle within its own range: one query for all; if that has no result, one for the
   * vehicle.
   */
  function newestOfAll(
    questions: readonly Question[],
    rangeOf: (question: Question, nowMs: number) => Range
  ): (question: Question) => Promise<Event | undefined> {
    const alone = new Map<Question, Promise<Event | undefined>>()
    const asked = client().then(async (gateway) => {
      const nowMs = gateway.nowMs()
      const ranges = questions.map((question) => rangeOf(question, nowMs))
      const whole = {
        fromMs: Math.min(...ranges.map(({ fromMs }) => fromMs)),
        toMs: Math.max(...ranges.map(({ toMs }) => toMs))
      }
      return {
        nowMs,
        events: questions.length < 2 ? undefined : await orAlone(() => query(questions, whole, mostEvents))
      }
    })
    asked.catch(() => undefined)

    return async (question) => {
      const { nowMs, events } = await asked
      const range = rangeOf(question, nowMs)
      const own = events?.findLast((event) => event['vid'] === question.vid && isWithin(event, range))
      if (own || (events && events.length < mostEvents)) return own
      const answer = alone.get(question) ?? query([question], range, 1).then((some) => some.at(-1))
      alone.set(question, answer)
      return answer
    }
  }

  /** The newest events of these vehicles, all about one counter, oldest first. */
  async function query(questions: readonly Question[], range: Range, tail: number): Promise<Event[]> {
    const counter = questions[0]?.counter ?? ''
    if (unnamed.has(counter)) return queryFields(questions, range, tail, [counter])
    try {
      return await queryFields(questions, range, tail, [counter, `vehicle_${counter}`])
    } catch (error) {
      if (!(error instanceof AppError) || error.fate !== 'refused') throw error
      const events = await queryFields(questions, range, tail, [counter])
      unnamed.add(counter)
      return events
    }
  }

  async function queryFields(
    questions: readonly Question[],
    { fromMs, toMs }: Range,
    tail: number,
    counters: string[]
  ): Promise<Event[]> {
    const vehicles = [...new Set(questions.map(({ vid }) => vid))]
    const fields = ['vid', 'event_epoch', 'system_epoch', ...counters]
    const { value } = await (
      await client()
    ).rawdata.query(
      { vehicles, from: new Date(fromMs), to: new Date(toMs), fields, order: 'system_time', tail },
      { priority: 'person' }
    )
    return value.events ?? []
  }
}

/** By the time of the device, in whole seconds, because the gateway uses it for ranges. */
function isWithin(event: Event, { fromMs, toMs }: Range): boolean {
  const atMs = numberOf(event.event_epoch)
  return atMs !== null && atMs * 1000 >= fromMs && atMs * 1000 <= toMs
}

function systemMs(event: Event | undefined): number | null {
  const epochS = numberOf(event?.system_epoch)
  return epochS === null ? null : epochS * 1000
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
