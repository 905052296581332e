import { computed, onBeforeUnmount, onMounted, shallowRef } from 'vue'
import type { ListedJob } from '../../../preload/contract/job/jobs.ts'
import type { VehicleEvent, VehicleSheet, VehicleState } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { call } from '../../base/bridge.ts'
import { type NamedFence, readFences } from '../../base/instruments/map/readFences.ts'
import { useAction } from '../../base/ui/useAction.ts'
import { mayDo } from '../../gateway/site/mayDo.ts'
import { latestState } from '../../gateway/vehicles/standing.ts'
import { useVehicles } from '../../gateway/vehicles/vehicles.store.ts'
import { useGateway } from '../../base/shell/gateway.store.ts'
import type { AssetName } from './timeline.ts'

const eventHours = 24
const mostEvents = 60
const mostNames = 12
const mostJobs = 200
/** The gateway shows a new report after some seconds; more frequent requests would only use up its calls. */
const everyMs = 60_000

/** All data of one vehicle: each part is requested separately, and a failed one does not affect the others. */
export function useVehicle(id: () => number) {
  const gateway = useGateway()
  const sheet = shallowRef<VehicleSheet | null>(null)
  const events = shallowRef<VehicleEvent[] | null>(null)
  const fences = shallowRef<NamedFence[]>([])
  /** When the geofences come from the local copy: its time. */
  const fencesOf = shallowRef<string | null>(null)
  const assets = shallowRef<ReadonlyMap<number, AssetName>>(new Map())
  const jobs = shallowRef<ListedJob[]>([])
  /** As the latest events show it. */
  const eventsState = shallowRef<VehicleState | undefined>(undefined)
  const vehicles = useVehicles()
  const state = computed(() => latestState(vehicles.standings.get(id())?.state, eventsState.value, sheet.value?.state))
  const isLive = computed(() => sheet.value?.source === 'gateway')
  const mayReadEvents = computed(() => isLive.value && mayDo(gateway.status, 'rawdata', 'r'))
  let timer: ReturnType<typeof setInterval> | undefined

  const reading = useAction(async (isRefresh?: boolean) => {
    const { events: read, state: shown } = await call('vehicles.events', {
      id: id(),
      hours: eventHours,
      limit: mostEvents,
      isRefresh
    })
    events.value = read
    eventsState.value = shown
  })
  const fencing = useAction(async () => {
    const near = await readFences(lastPlace.value)
    fences.value = near.fences
    fencesOf.value = near.copiedAt
  })
  const naming = useAction(async () => {
    const ids = [
      ...new Set((sheet.value?.history ?? []).filter(({ kind }) => kind === 'asset').map((entry) => Number(entry.id)))
    ].filter(Number.isSafeInteger)
    if (ids.length === 0 || !mayDo(gateway.status, 'assets', 'r')) return
    assets.value = new Map(
      (await call('vehicles.assets', { ids: ids.slice(0, mostNames) })).assets.map((asset) => [asset.id, asset])
    )
  })
  const working = useAction(async () => {
    const name = sheet.value?.vehicle.name
    if (name === undefined) return
    const { jobs: found } = await call('jobs.list', { search: name, limit: mostJobs })
    jobs.value = found.filter(({ vehicle }) => vehicle?.id === id())
  })
  const standing = useAction(() => vehicles.askStandings([id()]))
  const loading = useAction(async () => {
    sheet.value = await call('vehicles.show', { id: id() })
    void working.run()
    if (!isLive.value) return
    void naming.run()
    if (!mayReadEvents.value) return
    await reading.run()
    if (mayDo(gateway.status, 'geofences', 'r')) void fencing.run()
  })

  const places = computed(() =>
    (events.value ?? []).flatMap(({ validPosition, latitude, longitude, at }) =>
      validPosition !== false && latitude !== null && longitude !== null
        ? [{ latitude, longitude, atMs: Date.parse(at) }]
        : []
    )
  )
  const lastPlace = computed(() => places.value[0] ?? null)

  onMounted(() => {
    void loading.run()
    timer = setInterval(() => {
      if (document.visibilityState !== 'visible' || !isLive.value) return
      if (mayReadEvents.value && !reading.busy.value) void reading.run(true)
      if (mayDo(gateway.status, 'devices', 'r') && !standing.busy.value) void standing.run()
    }, everyMs)
  })
  onBeforeUnmount(() => clearInterval(timer))

  return {
    sheet,
    state,
    events,
    assets,
    jobs,
    fences,
    fencesOf,
    isLive,
    mayReadEvents,
    lastPlace,
    loading,
    reading,
    eventHours
  }
}
