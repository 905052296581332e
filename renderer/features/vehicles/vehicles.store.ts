import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { VehicleCopy, VehicleLine } from '../../../preload/contract/vehicles/vehicles.ts'
import { call } from '../../bridge.ts'

/** A vehicle's last report, and the time of the gateway's answer. */
export interface VehicleReport {
  lastReportedAt: string | null
  readAt: string
}

const perPage = 100

/** The vehicles in the local copy, and the gateway's data about one of them. */
export const useVehicles = defineStore('vehicles', () => {
  const copy = shallowRef<VehicleCopy | null>(null)
  const found = shallowRef<VehicleLine[]>([])
  const hasMore = ref(false)
  /** Remembered while the person visits a vehicle and returns. */
  const text = ref('')
  const chosenId = ref<number | null>(null)
  const standings = shallowRef<ReadonlyMap<number, VehicleReport>>(new Map())
  let lastSearch = 0
  let news = 0

  function takeCopy(next: VehicleCopy): void {
    news += 1
    if (next.site?.url !== copy.value?.site?.url || next.site?.user !== copy.value?.site?.user) standings.value = new Map()
    copy.value = next
  }

  async function ask(after?: number): Promise<CallOutput<'vehicles.search'> | null> {
    const own = ++lastSearch
    const newsBefore = news
    const result = await call('vehicles.search', { text: text.value.trim(), limit: perPage, ...(after === undefined ? {} : { after }) })
    if (own !== lastSearch) return null
    hasMore.value = result.more
    // Updates received in the meantime are newer than the search result.
    if (news === newsBefore) copy.value = result.copy
    return result
  }

  async function search(): Promise<void> {
    const result = await ask()
    if (result) found.value = result.vehicles
  }

  /** The next page; a text search has only one. */
  async function more(): Promise<void> {
    const last = found.value.at(-1)
    if (!hasMore.value || !last || text.value.trim() !== '') return
    const result = await ask(last.id)
    if (result) found.value = [...found.value, ...result.vehicles]
  }

  /** Requests whether these vehicles report. A vehicle that the gateway does not show counts as never reported. */
  async function askStandings(ids: number[]): Promise<void> {
    const answer = await call('vehicles.standings', { ids })
    const told = new Map(answer.standings.map((one) => [one.id, one.lastReportedAt]))
    standings.value = new Map([...standings.value, ...ids.map((id): [number, VehicleReport] => [id, { lastReportedAt: told.get(id) ?? null, readAt: answer.readAt }])])
  }

  async function refresh(): Promise<void> {
    copy.value = await call('vehicles.refresh', {})
  }

  async function stop(): Promise<void> {
    copy.value = await call('vehicles.stopRefresh', {})
  }

  return {
    copy,
    found,
    hasMore,
    text,
    chosenId,
    standings,
    takeCopy,
    search,
    more,
    askStandings,
    refresh,
    stop
  }
})
