import { computed, ref, shallowRef } from 'vue'
import type { Message } from '../../../preload/contract/messages.ts'
import type { TeamJob } from '../../../preload/contract/team/team.ts'
import { call } from '../../base/bridge.ts'
import { presentMs } from '../../base/ui/time/presentTime.ts'
import { useTeam } from '../../base/shell/team.store.ts'
import { belongsTo, sectionsOf, type Section, type TeamQuestion } from '../../base/shell/teamQuestion.ts'

const pageSize = 50
const askedAtOnce = 100

/**
 * The team's jobs in groups, each loaded page by page as needed. One request at a time: a laptop has few connections.
 */
export function useTeamPages() {
  const team = useTeam()
  const sections = shallowRef<readonly Section[]>([])
  const isSimilar = ref(false)
  const isLoaded = ref(false)
  /** Set when the rows come from the local copy: the reason and the age, null when there is no copy. */
  const kept = shallowRef<{ at: string | null; why: Message | null } | null>(null)
  /** The time of the server's answer. */
  const readAt = ref<string | null>(null)
  let asked = 0
  let last: TeamQuestion | undefined
  let reading = Promise.resolve()

  const count = computed(() => sections.value.reduce((sum, { jobs }) => sum + jobs.length, 0))
  const isMore = computed(() => sections.value.some(({ next }) => next !== null))

  /** Starts a new search. The old rows stay until the answer arrives. */
  async function load(question: TeamQuestion): Promise<void> {
    last = question
    const mine = ++asked
    const read: Section[] = []
    const seen = { isSimilar: false, kept: null as typeof kept.value }
    for (const { name, ask } of sectionsOf(question)) {
      const page = await call('team.jobs', { ...ask, limit: pageSize })
      if (mine !== asked) return
      seen.isSimilar ||= page.isSimilar
      if (page.keptAt !== null || page.why !== null)
        seen.kept = { at: page.keptAt ?? seen.kept?.at ?? null, why: page.why }
      read.push({ name, ask, jobs: page.jobs, next: page.next })
    }
    sections.value = seen.kept === null ? read : read.map(withRead)
    isSimilar.value = seen.isSimilar
    kept.value = seen.kept
    noteReading()
    isLoaded.value = true
  }

  /** Repeats the search: existing rows stay in place and are updated, new ones are inserted in order. */
  async function refresh(): Promise<void> {
    if (!last) return
    const mine = asked
    const first = await readFirst(last, mine)
    // Rows from the server do not become older because of the local copy.
    if (kept.value !== null) return
    const below = sections.value.flatMap(({ name, jobs }) =>
      jobs.flatMap(({ id }) => (first.has(`${name} ${id}`) ? [] : [id]))
    )
    for (let at = 0; at < below.length && mine === asked; at += askedAtOnce)
      await readAgain(below.slice(at, at + askedAtOnce), mine)
  }

  /** Loads the first page of each group again; returns the jobs on each page. */
  async function readFirst(question: TeamQuestion, mine: number): Promise<Set<string>> {
    const first = new Set<string>()
    for (const { name, ask } of sectionsOf(question)) {
      const page = await call('team.jobs', { ...ask, limit: pageSize })
      if (mine !== asked) return first
      for (const { id } of page.jobs) first.add(`${name} ${id}`)
      kept.value =
        page.keptAt === null && page.why === null ? null : { at: page.keptAt ?? kept.value?.at ?? null, why: page.why }
      sections.value = sections.value.map((one) =>
        one.name !== name ? one : kept.value === null ? merged(one, page) : withRead({ ...one, jobs: page.jobs })
      )
    }
    noteReading()
    return first
  }

  function noteReading(): void {
    const { lastRead } = team
    if (kept.value !== null) {
      if (lastRead && isSame(lastRead.question, last)) kept.value = { ...kept.value, at: (readAt.value = lastRead.at) }
      return
    }
    readAt.value = new Date(presentMs()).toISOString()
    if (last) team.lastRead = { question: last, sections: sections.value, at: readAt.value }
  }

  /** Combines the server's last rows for the same search with the local copy. */
  function withRead(section: Section): Section {
    const before = isSame(team.lastRead?.question, last)
      ? team.lastRead?.sections.find(({ name }) => name === section.name)
      : undefined
    if (!before) return section
    const known = new Set(before.jobs.map(({ id }) => id))
    return {
      ...before,
      jobs: [...before.jobs, ...section.jobs.filter(({ id }) => !known.has(id))].sort((one, other) =>
        isBelow(one, other) ? 1 : -1
      )
    }
  }

  /** Updates these jobs in place. Jobs that entered or left a group are loaded again. */
  async function take(ids: ReadonlySet<string>): Promise<void> {
    if (ids.size > askedAtOnce) return refresh()
    const mine = asked
    const here = await readAgain([...ids], mine)
    if (last && mine === asked && here < ids.size) await readFirst(last, mine)
  }

  /** Loads these rows again; jobs that moved to another group are removed. Returns the number of remaining ones. */
  async function readAgain(ids: readonly string[], mine: number): Promise<number> {
    const { jobs, why } = await call('team.jobs', { ids: [...ids], limit: askedAtOnce })
    if (mine !== asked) return 0
    const wanted = new Set(ids)
    const answered = new Map(jobs.map((job) => [job.id, job]))
    const here = new Set<string>()
    sections.value = sections.value.map((one) => ({
      ...one,
      jobs: one.jobs.flatMap((job) => {
        const news = answered.get(job.id)
        if (!wanted.has(job.id) || (!news && why !== null)) return [job]
        if (!news || !belongsTo(one.name, news)) return []
        here.add(job.id)
        return [news]
      })
    }))
    return here.size
  }

  /** The next page of a group. */
  function more(name: Section['name']): Promise<void> {
    reading = reading.then(() => readMore(name))
    const running = reading
    // A failed page does not prevent loading the next one.
    reading = reading.catch(() => undefined)
    return running
  }

  async function readMore(name: Section['name']): Promise<void> {
    const mine = asked
    const present = sections.value.find((one) => one.name === name)
    if (!present || present.next === null) return
    const page = await call('team.jobs', { ...present.ask, after: present.next, limit: pageSize })
    if (mine !== asked) return
    sections.value = sections.value.map((one) => {
      if (one.name !== name) return one
      const there = new Set(one.jobs.map(({ id }) => id))
      return { ...one, jobs: [...one.jobs, ...page.jobs.filter(({ id }) => !there.has(id))], next: page.next }
    })
  }

  return { sections, isSimilar, isLoaded, kept, readAt, count, isMore, load, refresh, take, more }
}

/** The first page is replaced by the answer; the rows loaded after it stay. */
function merged(section: Section, page: { jobs: TeamJob[]; next: string | null }): Section {
  const newest = new Set(page.jobs.map(({ id }) => id))
  const end = page.jobs.at(-1)
  // A job of the old first page that is missing in the answer belongs to another group now.
  const below = end && page.next !== null ? section.jobs.filter((job) => !newest.has(job.id) && isBelow(job, end)) : []
  return { ...section, jobs: [...page.jobs, ...below], next: below.length > 0 ? section.next : page.next }
}

function isSame(one: TeamQuestion | undefined, other: TeamQuestion | undefined): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other)
}

/** Latest created first, as on the server. */
function isBelow(job: TeamJob, other: TeamJob): boolean {
  return job.createdAt < other.createdAt || (job.createdAt === other.createdAt && job.id < other.id)
}
