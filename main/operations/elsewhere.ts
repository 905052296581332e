import type { Look } from './kind.ts'
import { asAppError } from './failures.ts'
import type { EngineParts } from './parts.ts'
import { addedMs, lookRequest } from './readBack.ts'
import type { StoredRow } from './rows.ts'
import type { Work } from './work.ts'

/**
 * Somebody may have taken the job over and sent this work, and this laptop has not heard of it: it is looked for right before
 * it is sent for the first time. Only what is there counts: what stands there otherwise is what the sending is to change.
 */
export async function lookElsewhere(parts: EngineParts, row: StoredRow, { kind, payload }: Work): Promise<Look | undefined> {
  // What is there would not tell whose it is.
  if (kind.tellsOwnAlone) return undefined
  // What appeared since a person wanted it, by the gateway's clock.
  await parts.learnTime(parts.reading)
  const request = lookRequest(parts, row, 1)
  try {
    return await kind.look(payload, { ...request, sinceMs: request.sinceMs ?? addedMs(parts, row) })
  } catch (error) {
    const failure = asAppError(error, parts.reading)
    // Whoever may not read may still be allowed to write.
    if (failure.fate === 'refused') return undefined
    throw failure
  }
}
