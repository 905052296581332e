import type { CallOutput, CallParsed } from '../../preload/contract/index.ts'
import type { Core } from './core.ts'

/** Jobs, vehicles and devices with these words, from what is kept on this computer. */
export async function findKept({ jobs, vehicles, store }: Pick<Core, 'jobs' | 'vehicles' | 'store'>, { text, limit }: CallParsed<'find.kept'>): Promise<CallOutput<'find.kept'>> {
  const page = jobs.list({ search: text, limit })
  // A number that is the whole one, or a plate in one piece, stands before all that have these words somewhere.
  const hasShortNumber = /(?<![\p{L}\p{N}])\d{1,2}(?![\p{L}\p{N}])/u.test(text)
  const best = jobs.list({ search: hasShortNumber ? text : text.replace(/[^\p{L}\p{N}]+/gu, ''), limit, isExact: true })
  const found = new Map([best, page].flatMap((one) => one.jobs.map((job) => [job.id, job] as const)))
  const kept = await vehicles.copy.search(text, limit)
  return {
    jobs: { found: [...found.values()].slice(0, limit), n: page.total, isMore: page.isMore, total: Object.values(page.counts).reduce((sum, n) => sum + n, 0), isSimilar: page.isSimilar },
    vehicles: { found: kept.vehicles, isMore: kept.more, total: kept.copy.count, copiedAt: kept.copy.copiedAt },
    devices: store.knownDevices.search(text, limit)
  }
}
