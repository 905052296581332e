import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { VehicleCopy, VehicleLine } from '../../../preload/contract/vehicles/vehicles.ts'
import { call } from '../../bridge.ts'

/** When the device of a vehicle last reported, and when the gateway said so. */
export interface VehicleReport {
  lastReportedAt: string | null
  readAt: string
}

const perPage = 100

/** The vehicles in the copy on this computer, and what the gateway says about one of them. */
export const useVehicles = defineStore('vehicles', () => {
  const copy = shallowRef<VehicleCopy | null>(null)
  const found = shallowRef<VehicleLine[]>([])
  const hasMore = ref(false)
  /** Kept while the person looks at a vehicle and comes back. */
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
    // What was told meanwhile is newer than what the search saw.
    if (news === newsBefore) copy.value = result.copy
    return result
  }

  async function search(): Promise<void> {
    const result = await ask()
    if (result) found.value = result.vehicles
  }

  /** The next page; a search with words has one. */
  async function more(): Promise<void> {
    const last = found.value.at(-1)
    if (!hasMore.value || !last || text.value.trim() !== '') return
    const result = await ask(last.id)
    if (result) found.value = [...found.value, ...result.vehicles]
  }

  /** Asks whether these vehicles report. One that the gateway does not show stands as never heard of. */
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
