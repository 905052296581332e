import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { EventFilter, EventView } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { call } from '../../base/bridge.ts'
import type { FieldInfo } from './filters/fieldTexts.ts'
import type { TimeChoice } from './times.ts'

/** The person's view of events, remembered from vehicle to vehicle; a filter applies to one vehicle only. */
export const useEventView = defineStore('eventView', () => {
  const time = shallowRef<TimeChoice>({ kind: 'last', hours: 24 })
  const filter = shallowRef<EventFilter>({ types: null, conditions: [] })
  const charts = shallowRef<string[]>(['sv', 'speed', 'ecu_battery', 'cf_rssi'])
  const columns = shallowRef<string[]>(['speed', 'where', 'ecu_battery', 'cf_rssi', 'sv'])
  /** The gateway's catalogue; empty until it is loaded. */
  const fields = shallowRef<FieldInfo[]>([])
  const silentFromS = ref<number | null>(null)
  /** A field whose values part the groups of equal events. */
  const groupBy = ref<string | null>(null)

  let vehicleId: number | null = null

  /** Another vehicle: the previous vehicle's filter does not apply. */
  function open(id: number): void {
    if (vehicleId !== null && vehicleId !== id) {
      filter.value = { types: null, conditions: [] }
      groupBy.value = null
    }
    vehicleId = id
  }
  async function loadFields(): Promise<void> {
    fields.value = (await call('eventLog.fields', {})).fields
  }
  function show(view: EventView): void {
    time.value = view.time
    filter.value = view.filter
    charts.value = [...view.charts]
    columns.value = [...view.columns]
  }

  return { time, filter, charts, columns, fields, silentFromS, groupBy, loadFields, open, show }
})
