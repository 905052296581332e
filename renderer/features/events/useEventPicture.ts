import { computed, shallowRef, watch } from 'vue'
import type { EventFilter, EventLogState, EventPicture } from '../../../preload/contract/vehicles/eventLog.ts'
import { call } from '../../bridge.ts'

export interface PictureWanted {
  state: EventLogState | null
  filter: EventFilter
  span: { fromMs: number; toMs: number }
  fields: readonly string[]
  widthPx: number
}

const barPx = 10
const pointPx = 3

/** The chart data of a time range: one request at a time, the last requested range wins. */
export function useEventPicture(wanted: () => PictureWanted) {
  const picture = shallowRef<EventPicture | null>(null)
  const error = shallowRef<Error | null>(null)
  let isAsking = false

  const key = computed(() => {
    const { state, filter, span, fields, widthPx } = wanted()
    return state && widthPx > 0 ? [state.id, state.revision, state.coveredFromMs, state.limits.silentFromS, JSON.stringify(filter), span.fromMs, span.toMs, fields.join(), Math.floor(widthPx / 20)].join(' ') : ''
  })

  async function ask(): Promise<void> {
    if (isAsking || key.value === '') return
    isAsking = true
    const own = key.value
    const { state, filter, span, fields, widthPx } = wanted()
    try {
      if (state) {
        const columns = Math.max(1, Math.min(400, Math.floor(widthPx / barPx)))
        picture.value = await call('eventLog.picture', { id: state.id, filter, ...span, columns, points: Math.max(1, Math.min(1_500, Math.ceil(widthPx / pointPx))), fields: [...fields] })
        error.value = null
      }
    } catch (cause) {
      error.value = cause instanceof Error ? cause : new Error(String(cause))
    } finally {
      isAsking = false
      if (key.value !== own) void ask()
    }
  }
  watch(key, () => void ask(), { immediate: true })
  return { picture, error }
}
