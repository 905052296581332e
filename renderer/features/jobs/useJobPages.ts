import { onBeforeUnmount, ref, shallowRef } from 'vue'
import type { CallInput } from '../../../preload/contract/index.ts'
import type { ListedJob } from '../../../preload/contract/jobs.ts'
import { call, subscribe } from '../../bridge.ts'

export type JobFilter = Omit<CallInput<'jobs.list'>, 'after' | 'limit'>

const pageSize = 60
/** More than this is not kept on the page: whoever looks for one of a hundred thousand searches, or goes on from here. */
const keptAtMost = 1_200

/** The job log page by page, newest first: more is asked for as it is scrolled to. */
export function useJobPages() {
  const jobs = shallowRef<ListedJob[]>([])
  const total = ref(0)
  const isMore = ref(false)
  const isSimilar = ref(false)
  const isLoaded = ref(false)
  /** How many jobs stand before the first one that is kept. */
  const skipped = ref(0)
  const next = ref<string | null>(null)
  let filter: JobFilter = {}
  let reading: Promise<void> | undefined
  let asked = 0

  async function read(after: string | undefined, take: (page: ListedJob[]) => void): Promise<void> {
    const mine = ++asked
    const page = await call('jobs.list', { ...filter, ...(after === undefined ? {} : { after }), limit: pageSize })
    // Meanwhile something else was looked for: this answer is to an old question.
    if (mine !== asked) return
    take(page.jobs)
    next.value = page.next
    total.value = page.total
    isMore.value = page.isMore
    isSimilar.value = page.isSimilar
    isLoaded.value = true
  }

  /** Looks for something else, or again for the same. */
  async function load(wanted: JobFilter): Promise<void> {
    filter = wanted
    await read(undefined, (page) => {
      skipped.value = 0
      jobs.value = page
    })
  }

  /** The next page, once however often it is asked for. */
  function more(): Promise<void> {
    const after = next.value
    if (after === null || isFull()) return Promise.resolve()
    reading ??= read(after, (page) => (jobs.value = [...jobs.value, ...page])).finally(() => (reading = undefined))
    return reading
  }

  /** Goes on after the last one that is kept, and lets go of those before it. */
  async function goOn(): Promise<void> {
    const before = skipped.value + jobs.value.length
    if (next.value === null) return
    await read(next.value, (page) => {
      skipped.value = before
      jobs.value = page
    })
  }

  function isFull(): boolean {
    return jobs.value.length >= keptAtMost
  }

  const stop = subscribe('jobs.state', (changed) => {
    if (jobs.value.some(({ id }) => id === changed.id)) jobs.value = jobs.value.map((job) => (job.id === changed.id ? changed : job))
  })
  onBeforeUnmount(stop)

  return { jobs, total, isMore, isSimilar, isLoaded, skipped, next, load, more, goOn, isFull }
}
