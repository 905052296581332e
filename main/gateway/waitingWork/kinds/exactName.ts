import type { Json } from '../../../../preload/contract/define.ts'
import type { EntityChoice } from '../../../../preload/contract/gateway/gateway.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'

/** The record for a text; see main/gateway/client/vehicles/exactEntity.ts. */
export interface NameSearch {
  findExact(kind: 'vehicle' | 'asset', text: string, signal: AbortSignal): Promise<ExactName>
}
export type ExactName =
  { kind: 'one'; entity: EntityChoice } | { kind: 'none' | 'several' | 'notAllSeen'; similar: EntityChoice[] }

/** The record for a text typed offline. Only an exact match counts: a wrong vehicle is worse than a late one. */
export async function resolveName(
  gateway: NameSearch,
  kind: 'vehicle' | 'asset',
  wanted: { id: number | null; text: string },
  signal: AbortSignal
): Promise<{ id: number; text: string } | { reason: Message; raw: Json }> {
  if (wanted.id !== null) return { id: wanted.id, text: wanted.text }
  const found = await gateway.findExact(kind, wanted.text, signal)
  if (found.kind === 'one') return { id: found.entity.id, text: found.entity.name }
  return { reason: questionOf(found, kind, wanted.text), raw: { wanted: wanted.text, similar: found.similar } }
}

function questionOf(
  { kind: why, similar }: Exclude<ExactName, { kind: 'one' }>,
  kind: 'vehicle' | 'asset',
  text: string
): Message {
  const names = similar.slice(0, 3).map(({ name }) => name)
  const question =
    why === 'several'
      ? message('operations.nameOfSeveral', { kind, text, n: similar.length })
      : message(why === 'notAllSeen' ? 'operations.nameNotAllSeen' : 'operations.nameOfNone', { kind, text })
  return names.length === 0 ? question : message('operations.nameSimilar', { question, names })
}
