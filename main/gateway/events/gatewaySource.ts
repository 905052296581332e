import type { GatewayClient } from '../client/client.ts'
import type { Fields } from '../client/decoders/fields.ts'
import type { EventReader } from '../client/events/eventReader.ts'
import { askInBackground } from '../client/events/rawdataTable.ts'
import type { RawdataInput } from '../client/areas/rawdata.ts'
import type { EventSource, EventWindow } from './source.ts'

const answerLimitMs = 30_000
/** Loading many windows waits for the next minute of the gateway's limit. */
const allowanceWaitMs = 120_000

/** Events from the gateway. A person waits for them, and may stop. */
export function createGatewayEvents(client: () => Promise<GatewayClient>, reader: EventReader): EventSource {
  return {
    catalogue: (signal) => reader.catalogue(signal),
    labels: (signal) => reader.labels(signal),
    nowMs: () => reader.nowMs(),
    async read(window, { inBackground, priority, signal }) {
      const gateway = await client()
      const input = inputOf(window)
      if (inBackground) {
        const { units, events } = await askInBackground(gateway, input, { signal, priority })
        return { events: (events ?? []) as Fields[], speedUnit: unitIn(units), calls: 3 }
      }
      const { value } = await gateway.rawdata.query(input, {
        signal,
        priority,
        timeoutMs: answerLimitMs,
        rateLimitWaitMs: allowanceWaitMs
      })
      return { events: (value.events ?? []) as Fields[], speedUnit: unitIn(value.units), calls: 1 }
    }
  }
}

function inputOf({ vehicleId, fromMs, toMs, fields }: EventWindow): RawdataInput {
  return { vehicles: [vehicleId], from: new Date(fromMs), to: new Date(toMs), fields: [...fields] }
}

function unitIn(units: object | undefined): string | null {
  const speed = (units as { speed?: unknown } | undefined)?.speed
  return typeof speed === 'string' ? speed : null
}
