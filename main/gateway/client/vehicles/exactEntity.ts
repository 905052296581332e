import { AppError } from '../../../../preload/contract/errors.ts'
import { foldName, foldPlate } from '../../../../preload/contract/gateway/exactNames.ts'
import type { EntityChoice } from '../../../../preload/contract/gateway/gateway.ts'
import type { CallOptions } from '../transport/caller.ts'
import type { GatewayClient } from '../client.ts'
import { choiceOf, findById, pagesOf, type EntityRecord, type FindEntitiesInput } from './entities.ts'
import { walkPages } from '../transport/paging.ts'
import { vinOf } from './vehicleLine.ts'

/**
 * The record for a text that a person typed. `similar` are records that may be meant; none of them is chosen without
 * asking.
 */
export type ExactEntity =
  | { kind: 'one'; entity: EntityChoice }
  | { kind: 'none'; similar: EntityChoice[] }
  | { kind: 'several'; similar: EntityChoice[] }
  /** The gateway did not show all records: another one may have the same name. */
  | { kind: 'notAllSeen'; similar: EntityChoice[] }

const mostSimilar = 20
const maxPages = 200

/**
 * The record whose name, plate, VIN or id is exactly `text`, ignoring case, accents, spaces and dashes. A part never
 * matches.
 */
export async function findExactEntity(
  client: GatewayClient,
  { kind, text }: FindEntitiesInput,
  options: CallOptions = {}
): Promise<ExactEntity> {
  const wanted = foldName(text)
  const exact = new Map<number, EntityChoice>()
  const similar = new Map<number, EntityChoice>()
  const walk = walkPages(pagesOf(client, kind, options), { set: 1000, maxPages })
  let seen = 0
  let total: number | undefined
  try {
    for (;;) {
      const step = await walk.next()
      if (step.done) return judge(step.value === 'end' && (total === undefined || seen >= total))
      const page = step.value.value
      total = page.total ?? total
      seen += page.data?.length ?? 0
      for (const item of page.data ?? []) sortIn(item)
    }
  } catch (error) {
    // If the gateway refuses the list, only an id can be looked up.
    if (kind !== 'asset' || !(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error
    if (/^\d{1,15}$/.test(wanted)) sortIn(await findById(client, kind, Number(wanted), options))
    return judge(false)
  }

  function sortIn(item: EntityRecord | undefined): void {
    const choice = item && choiceOf(item, kind)
    if (!item || !choice || wanted === '') return
    const info = (item.info ?? {}) as Record<string, unknown>
    const names = [choice.name, String(choice.id)]
    const numbers = [choice.plate, vinOf(info)].filter((number) => number !== null)
    if (
      names.some((name) => foldName(name) === wanted) ||
      numbers.some((number) => foldPlate(number) === foldPlate(text))
    )
      exact.set(choice.id, choice)
    else if (similar.size < mostSimilar && [...names, ...numbers].some((name) => foldName(name).includes(wanted)))
      similar.set(choice.id, choice)
  }

  function judge(isComplete: boolean): ExactEntity {
    const [only] = exact.values()
    const all = [...exact.values(), ...similar.values()].slice(0, mostSimilar)
    if (exact.size > 1) return { kind: 'several', similar: all }
    if (!isComplete) return { kind: 'notAllSeen', similar: all }
    return only ? { kind: 'one', entity: only } : { kind: 'none', similar: all }
  }
}
