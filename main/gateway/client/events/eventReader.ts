import { AppError } from '../../../../preload/contract/errors.ts'
import type { CallOutput } from '../../../../preload/contract/index.ts'
import type { GatewayClient } from '../client.ts'
import type { Fields } from '../decoders/fields.ts'
import type { Priority } from '../transport/rateLimit.ts'
import type { FieldTypes } from './rawdataExpression.ts'
import { message } from '../../../../preload/contract/messages.ts'

export type CatalogueField = CallOutput<'eventLog.fields'>['fields'][number]

export type EventReader = ReturnType<typeof createEventReader>

const keepMs = 10 * 60_000
const always = [
  'event_epoch',
  'system_epoch',
  'type',
  'label',
  'valid_position',
  'speed',
  'lat',
  'lon',
  'aid',
  'device_id'
]

/**
 * Reads events for the accessory screens. Field catalogue and labels are cached for some minutes, because they hardly
 * change.
 */
export function createEventReader(client: () => Promise<GatewayClient>) {
  const kept = new Map<string, { url: string; atMs: number; value: Promise<unknown> }>()

  async function keep<T>(name: string, ask: (gateway: GatewayClient) => Promise<T>): Promise<T> {
    const gateway = await client()
    const present = kept.get(name)
    if (present && present.url === gateway.url && performance.now() - present.atMs < keepMs)
      return present.value as Promise<T>
    const value = ask(gateway)
    kept.set(name, { url: gateway.url, atMs: performance.now(), value })
    value.catch(() => kept.delete(name))
    return value
  }

  async function catalogue(signal: AbortSignal): Promise<CatalogueField[]> {
    signal.throwIfAborted()
    return keep('catalogue', async (gateway) => {
      const { value } = await gateway.rawdata.keys({}, { priority: 'person' })
      const keys = Object.entries(value.keys ?? {})
      if (keys.length === 0) throw new AppError('UNREADABLE', message('gateway.noEventFields'), { retryable: true })
      return keys.map(([name, field]) => ({
        name,
        description: field?.short_desc ?? '',
        type: field?.type ?? '',
        group: field?.group ?? ''
      }))
    })
  }

  async function nowMs(): Promise<number> {
    return (await client()).nowMs()
  }

  return {
    catalogue,
    nowMs,
    async fieldTypes(signal: AbortSignal): Promise<{ types: FieldTypes; sets: ReadonlySet<string> }> {
      const fields = await catalogue(signal)
      return {
        types: new Map(fields.map(({ name, type }) => [name, type])),
        sets: new Set(fields.map(({ group }) => group).filter((group) => group !== ''))
      }
    },
    labels: (signal: AbortSignal): Promise<Fields> => {
      signal.throwIfAborted()
      return keep('labels', async (gateway) => (await gateway.labels.list({}, { priority: 'person' })).value as Fields)
    },
    /** Events of a vehicle with the wanted fields that this gateway knows, oldest first; speed in m/s. */
    async read(
      vehicleId: number,
      wanted: (name: string) => boolean,
      { sinceMs, tail, priority = 'person' }: { sinceMs: number; tail: number; priority?: Priority },
      signal: AbortSignal
    ): Promise<Fields[]> {
      const known = await catalogue(signal)
      const fields = known.map(({ name }) => name).filter((name) => always.includes(name) || wanted(name))
      const gateway = await client()
      const { value } = await gateway.rawdata.query(
        {
          // The end makes each request different, because the gateway caches by request.
          from: new Date(sinceMs),
          to: new Date((await nowMs()) + 60_000),
          vehicles: [vehicleId],
          fields,
          order: 'event_time',
          tail
        },
        { signal, priority }
      )
      return (value.events ?? []) as Fields[]
    }
  }
}
