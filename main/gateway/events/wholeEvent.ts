import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { EventDetail } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import type { Value } from '../../../preload/gateway/events/filter.ts'
import type { Fields } from '../client/decoders/fields.ts'
import { cellOf } from '../client/events/rawdataTable.ts'
import type { EventSource } from './source.ts'

/** Field names are in the URL of the request: more of them would exceed what servers accept. */
const fieldsAtOnce = 110

/** Everything that the gateway has about one event; offline, what was loaded of it. */
export async function readWhole(
  source: EventSource,
  event: { vehicleId: number; atMs: number; id: Value; kept: Readonly<Record<string, Json>> },
  signal: AbortSignal
): Promise<Pick<EventDetail, 'fields' | 'raw' | 'problem'>> {
  const descriptions = new Map<string, string>()
  let raw: Fields | undefined
  let problem: EventDetail['problem'] = null
  try {
    const catalogue = await source.catalogue(signal)
    for (const { name, description } of catalogue) descriptions.set(name, description)
    if (event.id !== null && !Number.isNaN(event.atMs)) {
      for (let from = 0; from < catalogue.length; from += fieldsAtOnce) {
        const fields = catalogue.slice(from, from + fieldsAtOnce).map(({ name }) => name)
        const { events } = await source.read(
          { vehicleId: event.vehicleId, fromMs: event.atMs, toMs: event.atMs, fields },
          { inBackground: false, priority: 'person', signal }
        )
        const own = events.find(({ id }) => id === event.id)
        if (own) raw = { ...raw, ...own }
      }
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    problem = error.sentence
  }
  // Loaded values in Fitter's units; others as the gateway returns them.
  const all: Fields = { ...raw, ...event.kept }
  return {
    fields: Object.keys(all)
      .sort()
      .flatMap((name) =>
        cellOf(all[name]) === null
          ? []
          : [{ name, description: descriptions.get(name) ?? '', value: cellOf(all[name]) }]
      ),
    raw: (raw ?? event.kept) as Json,
    problem
  }
}
