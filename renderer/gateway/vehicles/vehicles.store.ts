import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type {
  FleetKnowledge,
  VehicleCopy,
  VehicleFilter,
  VehicleLine,
  VehicleState
} from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { call } from '../../base/bridge.ts'

/** How the gateway showed a vehicle when it was asked; no state: it does not show it. */
export interface VehicleReport {
  state: VehicleState | undefined
  readAt: string
}

type ListAnswer = Pick<CallOutput<'vehicles.search'>, 'filter' | 'counts' | 'groups' | 'instead'> & {
  fleet: FleetKnowledge | null
}

const perPage = 100
/** Of one request for known vehicles. */
const perLines = 200

/** The vehicles in the local copy, and the gateway's data about one of them. */
export const useVehicles = defineStore('vehicles', () => {
  const copy = shallowRef<VehicleCopy | null>(null)
  const found = shallowRef<VehicleLine[]>([])
  /** How each found vehicle stood when its device was copied. */
  const states = shallowRef<ReadonlyMap<number, VehicleState>>(new Map())
  const hasMore = ref(false)
  /** Remembered while the person visits a vehicle and returns. */
  const text = ref('')
  /** Null: the vehicles that need attention, or all when none does. */
  const wanted = ref<VehicleFilter | null>(null)
  const group = ref<number | null>(null)
  /** Of the latest answer; what it lists instead of the words that nothing has. */
  const answer = shallowRef<ListAnswer>({
    filter: 'all',
    counts: null,
    fleet: null,
    groups: [],
    instead: null
  })
  /** How many vehicles of the copy need attention; null until it was counted. */
  const attention = ref<number | null>(null)
  const chosenId = ref<number | null>(null)
  const standings = shallowRef<ReadonlyMap<number, VehicleReport>>(new Map())
  let lastSearch = 0
  let news = 0

  function takeCopy(next: VehicleCopy): void {
    news += 1
    if (next.site?.url !== copy.value?.site?.url || next.site?.user !== copy.value?.site?.user)
      standings.value = new Map()
    copy.value = next
    if (!next.running) void count()
  }

  /** Counts the vehicles that need attention. Nobody waits for it: without an answer, the count stays unknown. */
  async function count(): Promise<void> {
    const { counts } = await call('vehicles.search', { text: '', filter: 'attention', limit: 1 }).catch(() => ({
      counts: null
    }))
    attention.value = counts?.attention ?? null
  }

  async function ask(after?: number): Promise<CallOutput<'vehicles.search'> | null> {
    const own = ++lastSearch
    const newsBefore = news
    const result = await call('vehicles.search', {
      text: text.value.trim(),
      filter: wanted.value,
      group: group.value,
      limit: perPage,
      ...(after === undefined ? {} : { after })
    })
    if (own !== lastSearch) return null
    hasMore.value = result.more
    const { filter, counts, fleet, groups, instead } = result
    answer.value = { filter, counts, fleet, groups, instead }
    if (group.value === null && counts) attention.value = counts.attention
    // Updates received in the meantime are newer than the search result.
    if (news === newsBefore) copy.value = result.copy
    return result
  }

  async function search(): Promise<void> {
    const result = await ask()
    if (!result) return
    states.value = statesOf(result)
    found.value = result.vehicles
  }

  /** The next page; a text search has only one. */
  async function more(): Promise<void> {
    const last = found.value.at(-1)
    if (!hasMore.value || !last || text.value.trim() !== '') return
    const result = await ask(last.id)
    if (!result) return
    states.value = new Map([...states.value, ...statesOf(result)])
    found.value = [...found.value, ...result.vehicles]
  }

  /** The states of the shown vehicles and the counts, as the copy has them now; the list itself does not move. */
  async function refreshStates(): Promise<void> {
    const own = lastSearch
    const ids = found.value.map(({ id }) => id)
    const later = new Map(states.value)
    for (let from = 0; from < ids.length; from += perLines) {
      for (const entry of statesOf(await call('vehicles.lines', { ids: ids.slice(from, from + perLines) })))
        later.set(...entry)
    }
    const { counts, fleet } = await call('vehicles.search', {
      text: '',
      filter: answer.value.filter,
      group: group.value,
      limit: 1
    })
    if (own !== lastSearch) return
    states.value = later
    answer.value = { ...answer.value, counts, fleet }
    if (group.value === null && counts) attention.value = counts.attention
  }

  /** Requests whether these vehicles report. */
  async function askStandings(ids: number[]): Promise<void> {
    const answer = await call('vehicles.standings', { ids })
    const asked = new Map(answer.standings.map(({ id, state }) => [id, state]))
    standings.value = new Map([
      ...standings.value,
      ...ids.map((id): [number, VehicleReport] => [id, { state: asked.get(id), readAt: answer.readAt }])
    ])
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
    states,
    hasMore,
    text,
    wanted,
    group,
    answer,
    attention,
    chosenId,
    standings,
    takeCopy,
    count,
    search,
    more,
    refreshStates,
    askStandings,
    refresh,
    stop
  }
})

function statesOf({ vehicles, states }: CallOutput<'vehicles.lines'>): Map<number, VehicleState> {
  return new Map(
    vehicles.flatMap(({ id }, index): [number, VehicleState][] => (states[index] ? [[id, states[index]]] : []))
  )
}
