import type { CallOutput, CallParsed } from '../../preload/contract/index.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { createEventReader } from '../gateway/events/eventReader.ts'
import { readJourneys } from '../gateway/vehicles/journeys.ts'
import { createRawdataTables, writeEventCsv } from '../gateway/events/rawdataTable.ts'

export function createEventTables(client: () => Promise<GatewayClient>, reader: ReturnType<typeof createEventReader>) {
  const tables = createRawdataTables(client, reader)
  return {
    ...tables,
    async fields(signal: AbortSignal): Promise<CallOutput<'rawdata.fields'>> {
      const fields = await reader.catalogue(signal)
      const groups = new Set(fields.map(({ group }) => group).filter((group) => group !== ''))
      return { fields, sets: [...groups].map((group) => `$${group}`), readAt: new Date().toISOString() }
    },
    journeys: async (vehicleId: number, sinceDays: number, signal: AbortSignal) => readJourneys(client, { vehicleId, sinceDays, nowMs: await reader.nowMs() }, signal),
    async exportEvents(question: CallParsed<'rawdata.export'>, signal: AbortSignal): Promise<CallOutput<'rawdata.export'>> {
      const table = await tables.query(question, signal)
      const fileName = `events-${question.vehicleId}-${question.from.slice(0, 10)}-${question.to.slice(0, 10)}.csv`
      return { fileName, mediaType: 'text/csv', base64: Buffer.from(`\uFEFF${writeEventCsv(table)}`).toString('base64'), rows: table.rows.length }
    }
  }
}
