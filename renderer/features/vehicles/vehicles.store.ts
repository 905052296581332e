import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { CallInput, CallOutput } from '../../../preload/contract/index.ts'
import type { VehicleCopy, VehicleLine } from '../../../preload/contract/vehicles.ts'
import { call } from '../../bridge.ts'

/** The vehicles in the copy on this computer, and what the gateway says about one of them. */
export const useVehicles = defineStore('vehicles', () => {
  const copy = shallowRef<VehicleCopy | null>(null)
  const found = shallowRef<VehicleLine[]>([])
  const hasMore = ref(false)
  /** Kept while the person looks at a vehicle and comes back. */
  const text = ref('')
  let lastSearch = 0
  let news = 0

  function takeCopy(next: VehicleCopy): void {
    news += 1
    copy.value = next
  }

  async function search(): Promise<void> {
    const own = ++lastSearch
    const newsBefore = news
    const result = await call('vehicles.search', { text: text.value.trim(), limit: 100 })
    if (own !== lastSearch) return
    found.value = result.vehicles
    hasMore.value = result.more
    // What was told meanwhile is newer than what the search saw.
    if (news === newsBefore) copy.value = result.copy
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
    takeCopy,
    search,
    refresh,
    stop,
    show: (id: number) => call('vehicles.show', { id }),
    counters: (id: number) => call('vehicles.counters', { id }),
    events: (id: number, hours: number, limit = 40): Promise<CallOutput<'vehicles.events'>> => call('vehicles.events', { id, hours, limit }),
    fences: (place: CallInput<'vehicles.fences'>) => call('vehicles.fences', place),
    setCounter: (input: CallInput<'vehicles.setCounter'>) => call('vehicles.setCounter', input),
    createCounter: (input: CallInput<'vehicles.createCounter'>) => call('vehicles.createCounter', input),
    assets: async (ids: number[]) => (await call('vehicles.assets', { ids })).assets,
    reports: (input: CallInput<'vehicles.reports'>) => call('vehicles.reports', input, 120_000),
    link: (input: CallInput<'vehicles.link'>) => call('vehicles.link', input),
    assign: (id: number, imei: string) => call('vehicles.assignDevice', { id, imei, confirmed: true })
  }
})
