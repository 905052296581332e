import { AppError } from '../../../../preload/contract/errors.ts'
import type { EntityChoice } from '../../../../preload/contract/gateway/gateway.ts'
import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import type { Asset, Vehicle } from '../records/entities.ts'
import type { CallOptions } from '../transport/caller.ts'
import type { GatewayClient } from '../client.ts'
import { whyNoImei } from '../../../base/reading/imeiSentence.ts'
import { walkPages, type FetchPage } from '../transport/paging.ts'

export interface FindEntitiesInput {
  kind: 'vehicle' | 'asset'
  /** Name, any value of `info` (plate), or id. Empty: the first records. */
  text: string
}
export interface FoundEntities {
  entities: EntityChoice[]
  /** False when not all records could be searched: a capped list, or a list that the gateway refuses. */
  complete: boolean
}

export type EntityRecord = Sparse<Vehicle> | Sparse<Asset>

const maxChoices = 50
const maxPages = 30
// `select` limits the fields, the id among them.
const choiceFields = ['id', 'name', 'info', 'device', 'groups']
const assetFields = [...choiceFields, 'type']
/** The keys of `info` that may contain a plate; the document only gives `license plate` as an example. */
const plateKey = /^(license|licence|number|registration)?[\s_-]*(plate|number|no)?$/i

/** Finds vehicles or assets: by id, by the gateway's search, then by reading the pages and matching name and `info`. */
export async function findEntities(
  client: GatewayClient,
  input: FindEntitiesInput,
  options: CallOptions = {}
): Promise<FoundEntities> {
  const text = input.text.trim()
  const found = new Map<number, EntityChoice>()
  const add = (item: EntityRecord | undefined): void => {
    const choice = item && choiceOf(item, input.kind)
    if (choice) found.set(choice.id, choice)
  }
  if (/^\d{1,15}$/.test(text)) add(await findById(client, input.kind, Number(text), options))

  try {
    if (text !== '' && found.size === 0) {
      // A search that the gateway does not understand may return everything: drop what does not match.
      for (const item of (await pagesOf(client, input.kind, options, { name: text })({ set: 200, page: 1 })).value
        .data ?? [])
        if (matches(item, text)) add(item)
    }
    const isExact = [...found.values()].some((choice) => fold(choice.name) === fold(text) || String(choice.id) === text)
    const complete = isExact || (await walkAndMatch(pagesOf(client, input.kind, options), text, found, add))
    return { entities: sorted(found), complete }
  } catch (error) {
    const isNoList = input.kind === 'asset' && error instanceof AppError && error.code === 'NOT_FOUND'
    if (!isNoList) throw error
    return { entities: sorted(found), complete: false }
  }
}

/** The pages of all vehicles or assets that the user may see, with the fields of a choice. */
export function pagesOf(
  client: GatewayClient,
  kind: 'vehicle' | 'asset',
  options: CallOptions,
  search?: Record<string, string>
): FetchPage<EntityRecord> {
  const query = { select: kind === 'vehicle' ? choiceFields : assetFields, ...(search ? { search } : {}) }
  return (where) =>
    kind === 'vehicle'
      ? client.vehicles.list({ ...query, ...where }, options)
      : client.assets.list({ ...query, ...where }, options)
}

async function walkAndMatch(
  fetchPage: FetchPage<EntityRecord>,
  text: string,
  found: Map<number, EntityChoice>,
  add: (item: EntityRecord) => void
): Promise<boolean> {
  const walk = walkPages(fetchPage, { set: 1000, maxPages })
  for (;;) {
    const step = await walk.next()
    if (step.done) return step.value === 'end'
    for (const item of step.value.value.data ?? []) {
      if (!matches(item, text)) continue
      if (found.size >= maxChoices) return false
      add(item)
    }
  }
}

/** The record with this id; undefined when the gateway shows none. */
export async function findById(
  client: GatewayClient,
  kind: 'vehicle' | 'asset',
  id: number,
  options: CallOptions
): Promise<EntityRecord | undefined> {
  try {
    const reading =
      kind === 'vehicle' ? await client.vehicles.get({ id }, options) : await client.assets.get({ id }, options)
    return reading.value.id === id ? reading.value : undefined
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

function matches(item: EntityRecord, text: string): boolean {
  if (text === '') return true
  const wanted = fold(text)
  const squeezed = squeeze(wanted)
  if (fold(String(item.name ?? '')).includes(wanted)) return true
  return Object.values(item.info ?? {}).some((value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return false
    const have = fold(String(value))
    // A plate may be written with or without spaces and dashes.
    return have.includes(wanted) || (squeezed !== '' && squeeze(have) === squeezed)
  })
}

function squeeze(text: string): string {
  return text.replace(/[\s._-]+/g, '')
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .trim()
}

/** A record of the gateway for a person's choice; undefined without an id. */
export function choiceOf(item: EntityRecord, kind: 'vehicle' | 'asset'): EntityChoice | undefined {
  if (typeof item.id !== 'number') return undefined
  const type = (item as Sparse<Asset>).type
  return {
    id: item.id,
    name: typeof item.name === 'string' ? item.name : `${kind} ${item.id}`,
    plate: plateOf(item.info),
    imei: deviceImeiOf(item),
    kind,
    assetType: kind === 'asset' && typeof type === 'string' ? type : null
  }
}

/** The plate, from any key of `info`; null without one. */
export function plateOf(info: Readonly<Record<string, unknown>> | undefined): string | null {
  for (const [key, value] of Object.entries(info ?? {})) {
    if (
      /plate/i.test(key) &&
      plateKey.test(key) &&
      (typeof value === 'string' || typeof value === 'number') &&
      value !== ''
    )
      return String(value)
  }
  return null
}

function sorted(found: Map<number, EntityChoice>): EntityChoice[] {
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id)
}

/**
 * The IMEI that a record names now: a number, a text or a record with `imei` or `id` (not documented); null for
 * anything else.
 */
export function deviceImeiOf(entity: { readonly device?: unknown }): string | null {
  return imeiOf(entity.device)
}

function imeiOf(value: unknown): string | null {
  if (typeof value === 'number') return imeiOf(String(value))
  if (typeof value === 'string') return /^\d{15}$/.test(value.trim()) ? value.trim() : null
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  const { imei, id } = value as { imei?: unknown; id?: unknown }
  const own = (part: unknown): string | null => (typeof part === 'object' ? null : imeiOf(part))
  return own(imei) ?? own(id)
}

/**
 * The visible vehicle with the device. Every hit is checked against its record; the pages are read if the search finds
 * nothing.
 */
export async function findVehicleOfDevice(
  client: GatewayClient,
  imei: string,
  options: CallOptions = {}
): Promise<{ vehicle: Sparse<Vehicle> | undefined; complete: boolean }> {
  const wrong = whyNoImei(imei)
  if (wrong) throw new AppError('INVALID_REQUEST', wrong)
  const isOurs = (vehicle: Sparse<Vehicle>): boolean => deviceImeiOf(vehicle) === imei
  const searched = await client.vehicles.list({ search: { device: imei }, select: choiceFields }, options)
  const hit = (searched.value.data ?? []).find(isOurs)
  if (hit) return { vehicle: hit, complete: true }
  const walk = walkPages((where) => client.vehicles.list({ select: choiceFields, ...where }, options), {
    set: 1000,
    maxPages
  })
  for (;;) {
    const step = await walk.next()
    if (step.done) return { vehicle: undefined, complete: step.value === 'end' }
    const found = step.value.value.data?.find(isOurs)
    if (found) return { vehicle: found, complete: true }
  }
}
