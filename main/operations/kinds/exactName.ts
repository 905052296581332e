import type { EntityChoice } from '../../../preload/contract/gateway.ts'

/** What a text means at the gateway; see main/gateway/exactEntity.ts. */
export interface NameSearch {
  findExact(kind: 'vehicle' | 'asset', text: string, signal: AbortSignal): Promise<ExactName>
}
export type ExactName = { kind: 'one'; entity: EntityChoice } | { kind: 'none' | 'several' | 'notAllSeen'; similar: EntityChoice[] }

/**
 * The record that a text typed while offline means. Only one that is called exactly so, among all that there are, is
 * taken: anything else is a question for a person, since a wrong vehicle is worse than a late one.
 */
export async function resolveName(
  gateway: NameSearch,
  kind: 'vehicle' | 'asset',
  wanted: { id: number | null; text: string },
  signal: AbortSignal
): Promise<{ id: number; text: string } | { reason: string }> {
  if (wanted.id !== null) return { id: wanted.id, text: wanted.text }
  const found = await gateway.findExact(kind, wanted.text, signal)
  if (found.kind === 'one') return { id: found.entity.id, text: found.entity.name }
  return { reason: questionOf(found, kind, wanted.text) }
}

function questionOf({ kind: why, similar }: Exclude<ExactName, { kind: 'one' }>, kind: 'vehicle' | 'asset', text: string): string {
  const names = similar.slice(0, 3).map(({ name }) => name)
  const list = names.length === 0 ? '' : ` Similar: ${names.join(', ')}${similar.length > names.length ? ' …' : ''}.`
  if (why === 'several') return `"${text}" fits ${similar.length} ${kind}s at the gateway: choose one.`
  if (why === 'notAllSeen') return `The gateway did not show all ${kind}s, so another one may be called "${text}" too: choose one.${list}`
  return `The gateway shows no ${kind} "${text}" to this user.${list}`
}
