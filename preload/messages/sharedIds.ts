import table from './sharedIds.json' with { type: 'json' }

/**
 * Message ids whose text is that of a common id. Journals and `--json` contain these ids, or code builds them from a state, so they
 * never change; the catalogues have the text once, under the common id.
 */
export const sharedIds: ReadonlyMap<string, string> = new Map(Object.entries(table))

/** The id under which the catalogue has the text of a message. */
export function textId(id: string): string {
  return sharedIds.get(id) ?? id
}
