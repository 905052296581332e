import { computed, shallowRef } from 'vue'
import type { EventFilter, EventLogState, EventPicture } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { call } from '../../base/bridge.ts'
import { useReading } from '../../base/ui/useAction.ts'

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

  const key = computed(() => {
    const { state, filter, span, fields, widthPx } = wanted()
    return state && widthPx > 0
      ? [
          state.id,
          state.revision,
          state.coveredFromMs,
          state.limits.silentFromS,
          JSON.stringify(filter),
          span.fromMs,
          span.toMs,
          fields.join(),
          Math.floor(widthPx / 20)
        ].join(' ')
      : ''
  })

  const { error } = useReading(async () => {
    const { state, filter, span, fields, widthPx } = wanted()
    if (!state || widthPx <= 0) return
    const columns = Math.max(1, Math.min(400, Math.floor(widthPx / barPx)))
    picture.value = await call('eventLog.picture', {
      id: state.id,
      filter,
      ...span,
      columns,
      points: Math.max(1, Math.min(1_500, Math.ceil(widthPx / pointPx))),
      fields: [...fields]
    })
  }, key)
  return { picture, error }
}
