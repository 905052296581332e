import type { EntityChoice } from '../../../preload/contract/gateway/gateway.ts'
import type { VehicleLine } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { plateOf } from '../client/vehicles/entities.ts'
import { vinOf } from '../client/vehicles/vehicleLine.ts'
import { copiedForms, type CopiedAsset } from './kinds.ts'
import { nearestOf, nearStarts } from './nearWords.ts'
import type { CopySite, GatewayCopyStore } from '../../data/store/gatewayCopies.ts'
import { foldText, squeezeText, startsOf } from './searchTerms.ts'

/** Kinds with names for people: each has a name, and numbers with several spellings. */
export interface NamedKinds {
  vehicles: VehicleLine
  assets: CopiedAsset
}
export type NamedKind = keyof NamedKinds

export interface FoundCopies<Kind extends NamedKind> {
  records: NamedKinds[Kind][]
  more: boolean
  /** The nearest text of the best match, when nothing has exactly the words. */
  instead: string | null
}

/**
 * The record in the local copy that a text means, by the rules of a search at the gateway: only one with exactly this
 * name.
 */
export type CopiedName =
  { kind: 'one'; entity: EntityChoice } | { kind: 'none' | 'several' | 'notAllSeen'; similar: EntityChoice[] }

interface Place {
  rows: GatewayCopyStore
  site: CopySite
}

const mostSimilar = 20
/** This many records with one name or number prove that it is not unique. */
const mostAlike = 50

export interface NamedQuery {
  text: string
  limit: number
  after?: number | undefined
  /** When nothing has exactly the words, also those with typing errors. */
  isForgiving?: boolean
}

/** This many candidates are compared with a text that has typing errors. */
const mostNear = 300

/** Records with these words, an exact name first. Without words, the page after `after`. */
export function searchNamed<Kind extends NamedKind>(
  { rows, site }: Place,
  kind: Kind,
  { text, limit, after, isForgiving }: NamedQuery
): FoundCopies<Kind> {
  const wanted = foldText(text)
  if (wanted === '') {
    const first = readNamed(
      kind,
      rows.first(site, kind, { limit: limit + 1, after: after === undefined ? undefined : String(after) })
    )
    return { records: first.slice(0, limit), more: first.length > limit, instead: null }
  }
  const whole = squeezeText(wanted)
  const hits = [
    ...rows.findExact(site, kind, { exact: wanted, limit }),
    ...rows.findWords(site, kind, { starts: startsOf(text), limit: limit + 1 })
  ]
  // "BKD 123" may be stored as one word.
  const joined =
    hits.length <= limit && /\s/.test(wanted) && whole !== ''
      ? rows.findWords(site, kind, { starts: [whole], limit: limit + 1 })
      : []
  const found = new Map(readNamed(kind, [...hits, ...joined]).map((one) => [one.id, one]))
  const sorted = [...found.values()].sort(
    (a, b) =>
      rank(a, wanted) - rank(b, wanted) || a.name.localeCompare(b.name, undefined, { numeric: true }) || a.id - b.id
  )
  if (sorted.length === 0 && isForgiving === true) return searchNear({ rows, site }, kind, text, limit)
  return { records: sorted.slice(0, limit), more: sorted.length > limit, instead: null }
}

function searchNear<Kind extends NamedKind>(
  { rows, site }: Place,
  kind: Kind,
  text: string,
  limit: number
): FoundCopies<Kind> {
  const candidates = nearStarts(text).flatMap((starts) => rows.findWords(site, kind, { starts, limit: mostNear }))
  const near = new Map<number, { one: NamedKinds[Kind]; text: string; typos: number }>()
  for (const one of readNamed(kind, candidates)) {
    const { plate, vin } = numbersOf(one)
    const nearest = nearestOf(text, [plate, one.name, vin, 'imei' in one ? one.imei : null])
    if (nearest) near.set(one.id, { one, ...nearest })
  }
  const sorted = [...near.values()].sort(
    (a, b) => a.typos - b.typos || a.one.name.localeCompare(b.one.name, undefined, { numeric: true })
  )
  return {
    records: sorted.slice(0, limit).map(({ one }) => one),
    more: sorted.length > limit,
    instead: sorted[0]?.text ?? null
  }
}

/** The records with this name, plate, VIN or id. */
export function findNamed<Kind extends NamedKind>({ rows, site }: Place, kind: Kind, text: string): CopiedName {
  const wanted = foldText(text)
  const whole = squeezeText(text)
  const candidates = [
    ...rows.findExact(site, kind, { exact: wanted, limit: mostAlike }),
    ...(whole === '' ? [] : rows.findWord(site, kind, { word: whole, limit: mostAlike })),
    rows.get(site, kind, wanted)
  ]
  const alike = new Map(
    readNamed(kind, candidates)
      .filter((one) => isCalled(one, wanted, whole))
      .map((one) => [one.id, one])
  )
  const [only] = [...alike.values()]
  if (alike.size > 1) return { kind: 'several', similar: choicesOf(kind, [...alike.values()]) }
  const isComplete = rows.state(site, kind).isComplete
  if (only && isComplete) return { kind: 'one', entity: choiceOfCopy(kind, only) }
  const similar = wanted === '' ? [] : searchNamed({ rows, site }, kind, { text, limit: mostSimilar }).records
  return { kind: isComplete ? 'none' : 'notAllSeen', similar: choicesOf(kind, similar) }
}

/** A copied record for a person's choice. */
export function choiceOfCopy<Kind extends NamedKind>(kind: Kind, one: NamedKinds[Kind]): EntityChoice {
  const { id, name } = one
  const { plate } = numbersOf(one)
  const asset = kind === 'assets' ? (one as CopiedAsset) : undefined
  return {
    id,
    name,
    plate,
    imei: asset ? null : (one as VehicleLine).imei,
    kind: asset ? 'asset' : 'vehicle',
    assetType: asset?.type ?? null
  }
}

/** A record of an older form does not match: the next pass rewrites it. */
export function readNamed<Kind extends NamedKind>(kind: Kind, records: readonly unknown[]): NamedKinds[Kind][] {
  return records.flatMap((one) => {
    const parsed = copiedForms[kind].safeParse(one)
    return parsed.success ? [parsed.data as NamedKinds[Kind]] : []
  })
}

function choicesOf<Kind extends NamedKind>(kind: Kind, records: readonly NamedKinds[Kind][]): EntityChoice[] {
  return records.slice(0, mostSimilar).map((one) => choiceOfCopy(kind, one))
}

function numbersOf(one: VehicleLine | CopiedAsset): { plate: string | null; vin: string | null } {
  return 'plate' in one ? { plate: one.plate, vin: one.vin } : { plate: plateOf(one.info), vin: vinOf(one.info) }
}

function isCalled(one: VehicleLine | CopiedAsset, wanted: string, whole: string): boolean {
  const { plate, vin } = numbersOf(one)
  return (
    joinBlanks(foldText(one.name)) === joinBlanks(wanted) ||
    String(one.id) === wanted ||
    [plate, vin].some((number) => number !== null && whole !== '' && squeezeText(number) === whole)
  )
}

function rank(one: VehicleLine | CopiedAsset, wanted: string): number {
  const name = foldText(one.name)
  const whole = squeezeText(wanted)
  const { plate, vin } = numbersOf(one)
  const imei = 'imei' in one ? one.imei : null
  if (name === wanted) return 0
  if ([plate, vin, imei, String(one.id)].some((text) => text !== null && squeezeText(text) === whole)) return 1
  return name.startsWith(wanted) ? 2 : 3
}

function joinBlanks(text: string): string {
  return text.replace(/\s+/g, ' ')
}
