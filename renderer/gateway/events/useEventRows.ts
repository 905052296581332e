import { computed, ref, shallowRef, watch } from 'vue'
import type { EventFilter, EventLogState, EventRow } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { call } from '../../base/bridge.ts'

export interface RowsWanted {
  state: EventLogState | null
  /** The log of another vehicle in the same list. */
  other?: EventLogState | null
  filter: EventFilter
  columns: readonly string[]
  lines: EventLines
}
/** How equal events become lines. */
export interface EventLines {
  opened: number[]
  by: string | null
}

const rowsAtOnce = 100
const mostKept = 40

/** The visited rows of the list, in pieces; everything else stays in the core. */
export function useEventRows(wanted: () => RowsWanted) {
  const total = ref(0)
  /** The number of events in all lines. */
  const events = ref(0)
  const error = shallowRef<Error | null>(null)
  const isCounted = ref(false)
  /** Increases whenever rows arrive. */
  const news = ref(0)
  let pieces = new Map<number, EventRow[]>()
  /** Rows from before more were loaded: most keep their position. */
  let before = new Map<number, EventRow[]>()
  let running = new Set<number>()
  let seen: readonly [number, number] = [0, 0]

  const key = computed(() => {
    const { state, other, filter, columns, lines } = wanted()
    if (!state || other === null) return null
    const list = `${state.id} ${other?.id ?? ''} ${JSON.stringify([filter, lines])} ${columns.join()}`
    const whole = [state, other]
      .map((one) => (one ? [one.revision, one.coveredFromMs, one.limits.silentFromS, one.loading].join() : ''))
      .join(' ')
    return { list, whole: `${list} ${whole}` }
  })

  function see(first: number, last: number): void {
    seen = [first, last]
    for (let piece = Math.floor(first / rowsAtOnce); piece <= Math.floor(last / rowsAtOnce); piece++) void read(piece)
    // The next piece in both directions is ready for further scrolling.
    if (total.value > (Math.floor(last / rowsAtOnce) + 1) * rowsAtOnce) void read(Math.floor(last / rowsAtOnce) + 1)
    if (first >= rowsAtOnce) void read(Math.floor(first / rowsAtOnce) - 1)
  }

  async function read(piece: number): Promise<void> {
    const { state, other, filter, columns, lines } = wanted()
    const own = key.value?.whole
    if (!state || pieces.has(piece) || running.has(piece)) return
    const mine = running
    mine.add(piece)
    try {
      const page = { filter, first: piece * rowsAtOnce, n: rowsAtOnce, columns: [...columns], lines }
      const answer = await (other
        ? call('eventLog.merged', { ids: [state.id, other.id], ...page })
        : call('eventLog.rows', { id: state.id, ...page }))
      if (key.value?.whole !== own) return
      pieces.set(piece, answer.rows)
      if (pieces.size > mostKept)
        for (const old of [...pieces.keys()].slice(0, pieces.size - mostKept)) pieces.delete(old)
      total.value = answer.total
      events.value = answer.events
      isCounted.value = true
      error.value = null
      news.value += 1
    } catch (cause) {
      error.value = cause instanceof Error ? cause : new Error(String(cause))
    } finally {
      mine.delete(piece)
    }
  }

  watch(
    key,
    (next, last) => {
      before = next?.list === last?.list ? new Map([...before, ...pieces]) : new Map()
      if (next?.list !== last?.list) isCounted.value = false
      pieces = new Map()
      running = new Set()
      if (next) see(...seen)
      else total.value = 0
    },
    { immediate: true }
  )

  function at(index: number): EventRow | undefined {
    void news.value
    const piece = Math.floor(index / rowsAtOnce)
    return (pieces.get(piece) ?? before.get(piece))?.[index % rowsAtOnce]
  }
  return { total, events, isCounted, error, at, see }
}
