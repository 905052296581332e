import { isDeepStrictEqual } from 'node:util'
import type { ListedJob } from '../../../preload/contract/jobs.ts'
import type { OrderLine } from '../../../preload/contract/orders.ts'
import { plainJson } from '../journal.ts'
import type { Jobs } from '../jobs.ts'

const mostLookedAt = 50

/**
 * The job that a line of a batch has already: the open one of its device, else the newest that was closed for the same
 * checklist and order. The log alone knows it, so that a batch goes on after any interruption and doubles nothing.
 */
export function jobOfLine(jobs: Pick<Jobs, 'list' | 'show' | 'openOfDevice'>, line: Pick<OrderLine, 'template' | 'order'>, imei: string): ListedJob | undefined {
  const open = jobs.openOfDevice(imei)
  if (open) return open
  const { jobs: found } = jobs.list({ search: imei, limit: mostLookedAt })
  return found.find(
    (job) => job.device.imei === imei && job.template.id === line.template && job.state !== 'cancelled' && isDeepStrictEqual(plainJson(jobs.show(job.id).order), plainJson(line.order))
  )
}

/** Nothing is left to do by hand. */
export function isDone({ state }: Pick<ListedJob, 'state'>): boolean {
  return state === 'done' || state === 'installedAwaitingGateway'
}
