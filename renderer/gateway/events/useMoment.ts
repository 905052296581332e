import { computed, onBeforeUnmount, watch } from 'vue'
import type { EventLogState } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { place } from '../../base/shell/router.ts'
import { presentMs } from '../../base/ui/time/presentTime.ts'
import type { TimeChoice } from './times.ts'

interface Moment {
  time(): TimeChoice
  setTime(time: TimeChoice): void
  loading(): EventLogState['loading'] | undefined
  choose(ms: number): void
}

const aroundMs = 6 * 3_600_000

/**
 * The moment that another screen leads to (`#/events/7/1763836800000`): the hours around it are loaded, and its event
 * is chosen.
 * The person's own time range is back afterwards.
 */
export function useMoment({ time, setTime, loading, choose }: Moment) {
  const momentMs = computed(() =>
    place.value.screen === 'events' && /^\d{10,14}$/.test(place.value.part) ? Number(place.value.part) : null
  )
  let before: TimeChoice | null = null
  let wantedMs: number | null = null

  /** False: no moment is wanted. */
  function show(): boolean {
    const ms = momentMs.value
    if (ms === null) return false
    before ??= time()
    wantedMs = ms
    setTime({ kind: 'between', fromMs: ms - aroundMs, toMs: Math.min(presentMs(), ms + aroundMs) })
    return true
  }
  watch(momentMs, show)
  watch(loading, (now) => {
    if (wantedMs === null || now === undefined || now === 'running') return
    choose(wantedMs)
    wantedMs = null
  })
  onBeforeUnmount(() => {
    if (before) setTime(before)
  })
  return { show }
}
