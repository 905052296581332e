import table from './sharedIds.json' with { type: 'json' }

/** Ids with the text of a common id. Journals, `--json` and code contain these ids, so they never change. */
export const sharedIds: ReadonlyMap<string, string> = new Map(Object.entries(table))

/** The id under which the catalogue has the text of a message. */
export function textId(id: string): string {
  return sharedIds.get(id) ?? id
}
