import type { GatewayCopies } from '../../../preload/contract/gateway/copies.ts'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import type {
  FleetKnowledge,
  VehicleCopy,
  VehicleLine,
  VehicleState
} from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import type { Copies } from '../localCopy/copies.ts'
import type { FoundCopies } from '../localCopy/named.ts'
import { readFleet, stateOfVehicle, type Fleet } from './fleet.ts'

const mostGroups = 5_000
const atMostEveryMs = 2_000
/** More than any account has. */
const mostVehicles = 1_000_000

export type LocalVehicles = ReturnType<typeof createLocalVehicles>

/** `gatewayNowMs`: by the gateway's clock, as far as it is known. */
export function createLocalVehicles(copies: Copies, gatewayNowMs: () => number) {
  let read: { site: string; version: number; single: number; atMs: number; fleet: Promise<Fleet> } | undefined

  /** The copy is read once for each of its versions, and during a pass now and then. */
  async function fleet(): Promise<Fleet> {
    const { site, version, single, isRunning } = await copies.version()
    const isRested = read === undefined || performance.now() - read.atMs > atMostEveryMs
    const isNew =
      read?.site !== site ||
      (read.version !== version && (!isRunning || isRested)) ||
      (read.single !== single && isRested)
    if (isNew) read = { site, version, single, atMs: performance.now(), fleet: readFleet(copies) }
    return (read as NonNullable<typeof read>).fleet
  }

  async function pageOf(ids: readonly number[], limit: number, after: number | undefined) {
    const before = after === undefined ? -1 : ids.indexOf(after)
    // That vehicle is no longer in the list: another page from the beginning would repeat the first.
    const from = after !== undefined && before < 0 ? ids.length : before + 1
    return { records: await linesOf(ids.slice(from, from + limit)), more: ids.length > from + limit, instead: null }
  }

  async function linesOf(ids: readonly number[]): Promise<VehicleLine[]> {
    const lines = await Promise.all(ids.map((id) => copies.get('vehicles', id)))
    return lines.flatMap((one) => (one ? [one.record] : []))
  }

  const searchText = (text: string, limit: number) => copies.search('vehicles', { text, limit, isForgiving: true })

  async function stateOf(line: Pick<VehicleLine, 'imei'>): Promise<VehicleState> {
    return stateOfVehicle(line, line.imei === null ? undefined : await copies.deviceState(line.imei))
  }

  async function groupsOf(whole: Fleet): Promise<{ id: number; name: string | null }[]> {
    const names = new Map((await copies.all('groups', mostGroups))?.records.map(({ id, name }) => [id, name]))
    return whole.groups.map((id) => ({ id, name: names.get(id) ?? null }))
  }

  const status = async (): Promise<VehicleCopy> => vehicleCopyOf(await copies.status())
  return {
    status,
    /**
     * Starts to copy the gateway's data, vehicles first, from where an earlier copy stopped; returns the state
     * immediately.
     */
    refresh: async (): Promise<VehicleCopy> => vehicleCopyOf(await copies.refresh()),
    /** Reads the states of the devices again if they are old. */
    async refreshStates(): Promise<VehicleCopy> {
      await copies.refreshStates()
      return status()
    },
    stop: async (): Promise<VehicleCopy> => vehicleCopyOf(await copies.hold()),
    /** Vehicles with these words, or with similar ones, and how each of them stood. */
    async find(text: string, limit: number): Promise<FoundCopies<'vehicles'> & { states: VehicleState[] }> {
      const found = await searchText(text, limit)
      return { ...found, states: await Promise.all(found.records.map(stateOf)) }
    },
    /** Without search words, the page of the filter after the vehicle `after`. */
    async search({
      text,
      filter: wanted,
      group,
      limit,
      after
    }: CallParsed<'vehicles.search'>): Promise<CallOutput<'vehicles.search'>> {
      const isSearch = text.trim() !== ''
      const whole = await fleet()
      const counts = whole.isKnown ? whole.counts(group) : null
      const filter = isSearch ? 'all' : (wanted ?? (counts && counts.attention > 0 ? 'attention' : 'all'))
      const found = isSearch ? await searchText(text, limit) : await pageOf(whole.ids(filter, group), limit, after)
      return {
        vehicles: found.records,
        more: found.more,
        instead: found.instead,
        states: await Promise.all(found.records.map(stateOf)),
        filter,
        counts,
        fleet: knowledgeOf(whole),
        groups: await groupsOf(whole),
        copy: await status()
      }
    },
    async ids({ text, filter, group }: CallParsed<'vehicles.ids'>): Promise<CallOutput<'vehicles.ids'>> {
      if (text.trim() === '') return { ids: [...(await fleet()).ids(filter, group)], instead: null }
      const { records, instead } = await searchText(text, mostVehicles)
      return { ids: records.map(({ id }) => id), instead }
    },
    async lines({ ids }: CallParsed<'vehicles.lines'>): Promise<CallOutput<'vehicles.lines'>> {
      const vehicles = await linesOf(ids)
      return { vehicles, states: await Promise.all(vehicles.map(stateOf)) }
    },
    async silent({ span, after, limit }: CallParsed<'vehicles.silent'>): Promise<CallOutput<'vehicles.silent'>> {
      const whole = await fleet()
      const nowMs = gatewayNowMs()
      const { records, more } = await pageOf(whole.silent(span, nowMs), limit, after)
      return {
        vehicles: records,
        more,
        states: await Promise.all(records.map(stateOf)),
        counts: whole.isKnown ? whole.silentCounts(nowMs) : null,
        fleet: knowledgeOf(whole),
        groups: await groupsOf(whole),
        copy: await status()
      }
    },
    stateOf,
    /** All vehicles with a device. */
    async withDevice(): Promise<VehicleLine[]> {
      const found: VehicleLine[] = []
      for await (const part of copies.parts('vehicles')) found.push(...part.filter(({ imei }) => imei !== null))
      return found
    },
    async get(id: number): Promise<{ vehicle: VehicleLine; copiedAt: string | null } | undefined> {
      const found = await copies.get('vehicles', id)
      return found && { vehicle: found.record, copiedAt: found.copiedAt }
    },
    remember: copies.remember
  }
}

function knowledgeOf({ readAt, known, unknown }: Fleet): FleetKnowledge {
  return { readAt, known, unknown }
}

/** The part of the local copy's state that is about vehicles. */
export function vehicleCopyOf({ site, kinds, running, problem }: GatewayCopies): VehicleCopy {
  const vehicles = kinds.find(({ kind }) => kind === 'vehicles')
  return {
    site,
    count: vehicles?.count ?? 0,
    copiedAt: vehicles?.copiedAt ?? null,
    statesAt: kinds.find(({ kind }) => kind === 'devices')?.copiedAt ?? null,
    complete: vehicles?.complete ?? false,
    running,
    problem: problem ?? vehicles?.refused ?? null
  }
}
