import { z } from 'zod'
import { entityChoice, type EntityChoice } from '../../preload/contract/gateway.ts'
import type { StoredRow } from './rows.ts'

const question = z.object({ wanted: z.string(), similar: z.array(entityChoice) })

/** The records that a typed name may mean, while a draft waits for a person to say which. Empty for all other work. */
export function choicesOf({ state, attempts, evidence }: Pick<StoredRow, 'state' | 'attempts' | 'evidence'>): EntityChoice[] {
  if (state !== 'needsAttention' || attempts > 0) return []
  return question.safeParse(evidence.at(-1)?.raw).data?.similar ?? []
}
