import { ref, shallowRef, watch } from 'vue'
import { call } from '../../base/bridge.ts'
import type { TrackPlace } from '../../base/instruments/map/mapPositions.ts'
import { placeOfRow } from './rowTexts.ts'

const mostAround = 40
const all = { types: null, conditions: [] }

/** The positions before and after an event, oldest first, of all loaded events: a filter makes no way shorter. */
export function useTrackAround(wanted: () => { id: string; row: number } | null) {
  const track = shallowRef<(TrackPlace | null)[]>([])
  const round = ref(0)
  watch(wanted, async (next, last) => {
    if (next?.id === last?.id && next?.row === last?.row) return
    const mine = ++round.value
    if (!next) return void (track.value = [])
    try {
      const { index } = await call('eventLog.find', { id: next.id, filter: all, at: { row: next.row } })
      const { rows } = await call('eventLog.rows', {
        id: next.id,
        filter: all,
        first: Math.max(0, index - mostAround),
        n: 2 * mostAround + 1,
        columns: []
      })
      if (mine !== round.value) return
      track.value = rows.toReversed().flatMap((row): TrackPlace[] => {
        const placed = row.validPosition === false ? null : placeOfRow(row)
        return placed ? [[placed.latitude, placed.longitude]] : []
      })
    } catch {
      // The log was closed in the meantime; the event is shown without a way.
      if (mine === round.value) track.value = []
    }
  })
  return track
}
