import type { CallOutput, CallParsed } from '../../preload/contract/index.ts'
import type { Core } from './core.ts'

/** Jobs, vehicles and devices with these words, from what is kept on this computer. */
export async function findKept({ jobs, vehicles, store }: Pick<Core, 'jobs' | 'vehicles' | 'store'>, { text, limit }: CallParsed<'find.kept'>): Promise<CallOutput<'find.kept'>> {
  const page = jobs.list({ search: text, limit })
  const kept = await vehicles.copy.search(text, limit)
  return {
    jobs: { found: page.jobs, n: page.total, isMore: page.isMore, total: Object.values(page.counts).reduce((sum, n) => sum + n, 0), isSimilar: page.isSimilar },
    vehicles: { found: kept.vehicles, isMore: kept.more, total: kept.copy.count, copiedAt: kept.copy.copiedAt },
    devices: store.knownDevices.search(text, limit)
  }
}
