import { computed, onBeforeUnmount, ref, shallowRef } from 'vue'
import type { JobFacets, JobFilter } from '../../../preload/contract/job/jobLog.ts'
import type { ListedJob } from '../../../preload/contract/job/jobs.ts'
import { call, subscribe } from '../../base/bridge.ts'
import { endOfMonth } from './months.ts'

const pageSize = 60
/** Pages far from the visible ones are dropped: a log of years does not fit in memory. */
const pagesKept = 40
const countAgainMs = 500

interface Page {
  jobs: ListedJob[]
  next: string | null
}

/**
 * The log as one long list with only the visible part loaded. Any position is found by its month: the counts of the
 * months say how many jobs are above.
 */
export function useLogPages() {
  const pages = shallowRef<ReadonlyMap<number, Page>>(new Map())
  const facets = shallowRef<JobFacets | null>(null)
  /** The counts belong to the previous filter: new ones have been requested. */
  const isCounting = ref(false)
  const isLoaded = ref(false)
  const isSimilar = ref(false)
  let filter: JobFilter = {}
  let asked = 0
  const reading = new Map<number, Promise<void>>()
  let timer: ReturnType<typeof setTimeout> | undefined

  /** No job matches exactly: similar jobs are loaded page by page, without a count. */
  const known = computed(() =>
    [...pages.value].reduce((most, [number, { jobs }]) => Math.max(most, number * pageSize + jobs.length), 0)
  )
  const total = computed(() =>
    isSimilar.value || !facets.value || isCounting.value ? known.value : Math.max(facets.value.total, known.value)
  )

  function at(index: number): ListedJob | undefined {
    return pages.value.get(Math.floor(index / pageSize))?.jobs[index % pageSize]
  }

  /** The number of jobs above each month, latest first. */
  const above = computed(() => {
    let sum = 0
    return (facets.value?.months ?? []).map(({ month, jobs }) => ({ month, jobs, above: (sum += jobs) - jobs }))
  })

  function placeOf(number: number): { after?: string; before?: string; skip?: number } | undefined {
    if (number === 0) return {}
    const previous = pages.value.get(number - 1)
    if (previous) return previous.next === null ? undefined : { after: previous.next }
    const first = number * pageSize
    const month = above.value.findLast((one) => one.above <= first)
    if (!month || isCounting.value || isSimilar.value) return undefined
    return { before: endOfMonth(month.month), skip: first - month.above }
  }

  async function read(number: number): Promise<void> {
    const mine = asked
    const place = placeOf(number)
    if (!place) return
    const page = await call('jobLog.page', { filter, ...place, limit: pageSize })
    // The search changed in the meantime: this answer belongs to an old request.
    if (mine !== asked) return
    const kept = [...pages.value].filter(
      ([other]) => pages.value.size < pagesKept || Math.abs(other - number) < pagesKept / 2
    )
    pages.value = new Map([...kept, [number, { jobs: page.jobs, next: page.next }]])
    if (number === 0) isSimilar.value = page.isSimilar
    isLoaded.value = true
  }

  function page(number: number): Promise<void> {
    if (pages.value.has(number)) return Promise.resolve()
    const present = reading.get(number) ?? read(number).finally(() => reading.delete(number))
    reading.set(number, present)
    return present
  }

  /** Reads the rows between these two positions, including the last one. */
  async function ensure(first: number, last: number): Promise<void> {
    for (let number = Math.floor(Math.max(0, first) / pageSize); number <= Math.floor(last / pageSize); number++)
      await page(number)
  }

  async function count(): Promise<void> {
    const mine = asked
    isCounting.value = true
    try {
      const counted = await call('jobLog.facets', { filter })
      if (mine === asked) facets.value = counted
    } finally {
      if (mine === asked) isCounting.value = false
    }
  }

  /** Starts a new search, or repeats the present one. */
  async function load(wanted: JobFilter): Promise<void> {
    filter = wanted
    asked += 1
    const mine = asked
    reading.clear()
    const counting = count()
    const first = await call('jobLog.page', { filter, limit: pageSize })
    if (mine === asked) {
      pages.value = new Map([[0, { jobs: first.jobs, next: first.next }]])
      isSimilar.value = first.isSimilar
      isLoaded.value = true
    }
    await counting
  }

  /** The first job of a month, or of the next earlier one with jobs. */
  function placeOfMonth(month: string): number {
    return above.value.find((one) => one.month <= month)?.above ?? Math.max(0, total.value - 1)
  }

  function monthAt(index: number): string | undefined {
    return above.value.findLast((one) => one.above <= index)?.month
  }

  const stop = subscribe('jobs.state', (changed) => {
    const found = [...pages.value].find(([, { jobs }]) => jobs.some(({ id }) => id === changed.id))
    if (found) {
      const [number, { jobs, next }] = found
      pages.value = new Map([
        ...pages.value,
        [number, { next, jobs: jobs.map((job) => (job.id === changed.id ? changed : job)) }]
      ])
    }
    // A new job is first; a job with a changed state moves to another count.
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!found && changed.state === 'draft') load(filter).catch(() => undefined)
      else count().catch(() => undefined)
    }, countAgainMs)
  })
  onBeforeUnmount(() => {
    stop()
    clearTimeout(timer)
  })

  return { facets, isCounting, isLoaded, isSimilar, total, pages, at, ensure, load, placeOfMonth, monthAt }
}
