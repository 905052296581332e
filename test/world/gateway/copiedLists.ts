import type { CopyKind } from '../../../preload/contract/gateway/copies.ts'
import type { VehicleLine } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import type { GatewayClient } from '../../../main/gateway/client/client.ts'
import type { PageReading } from '../../../main/gateway/client/transport/paging.ts'
import { createCopies, type Copies, type CopiesOptions } from '../../../main/gateway/localCopy/copies.ts'
import { kindsOfCopy, type KindOfCopy } from '../../../main/gateway/localCopy/kinds.ts'

export interface ListOptions {
  pageSize?: number
  /** How many the gateway says that there are. */
  total?: number
  /** Before each page; throws what the gateway answers with. */
  onPage?(page: number, signal: AbortSignal): Promise<void> | void
}

/** A kind whose records lie in an array, page by page. */
export function listOf(
  kind: CopyKind,
  all: readonly unknown[],
  { pageSize = 1_000, total = all.length, onPage }: ListOptions = {}
): KindOfCopy {
  const real = kindsOfCopy.find((one) => one.kind === kind)
  if (!real) throw new Error(`no ${kind}`)
  return {
    ...real,
    pageSize,
    async read(_client, { set, page }, { signal }) {
      await onPage?.(page, signal ?? new AbortController().signal)
      const data = all.slice((page - 1) * set, page * set)
      const value = { set: data.length, page, pages: Math.max(1, Math.ceil(all.length / set)), total, data }
      return {
        operation: kind,
        status: 200,
        value,
        problems: [],
        raw: null,
        readAt: new Date().toISOString(),
        elapsedMs: 1,
        rateLimit: null
      } as unknown as PageReading<unknown>
    }
  }
}

/** Vehicles as the gateway lists them. */
export function vehicleRecords(lines: readonly Pick<VehicleLine, 'id' | 'name'>[]): unknown[] {
  return lines.map((line) => ({ info: {}, device: null, groups: [1], ...line }))
}

/** The copy of a store with these kinds alone; the client is never asked. */
export function openCopies(
  rows: CopiesOptions['rows'],
  kinds: readonly KindOfCopy[],
  more: Partial<CopiesOptions> = {}
): Copies {
  return createCopies({
    rows,
    site: () => Promise.resolve({ url: 'https://gateway.example/api', user: 'one@example.com' }),
    isPresent: () => Promise.resolve(true),
    client: () => ({ clockDifferenceS: () => 0 }) as GatewayClient,
    changed: () => undefined,
    isBusy: () => false,
    reportFault: (error) => {
      throw error
    },
    kinds,
    ...more
  })
}
