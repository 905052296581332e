import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, shallowRef } from 'vue'
import type { Events } from '../../../preload/contract/events.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { Paused, Story, StoryPlace } from '../../../preload/contract/gateway/stories.ts'
import { call } from '../../base/bridge.ts'
import { presentMs } from '../../base/ui/time/presentTime.ts'

const reloadAfterMs = 300

/** A story and when it was received: its countdowns start at that time. */
export interface HeardStory {
  story: Story
  heardMs: number
}

/** The subject of stories shown on another screen: a job, or a vehicle. */
export interface Watched {
  what: 'job' | 'story'
  id: string
}

/** Waiting work, one story for each vehicle. Loaded stories are updated from the core's events. */
export const useStories = defineStore('stories', () => {
  const heard = shallowReactive(new Map<string, HeardStory>())
  const paused = shallowRef<Paused>(null)
  const total = ref(0)
  const hasMore = ref(false)
  const isLoaded = ref(false)
  const watched = new Set<Watched>()
  const all = computed(() =>
    [...heard.values()]
      .filter(({ story }) => !beyond(story.place))
      .sort((a, b) => comparePlaces(a.story.place, b.story.place))
  )
  /** The last story of the loaded pages: later ones are not in the list yet. */
  const end = shallowRef<StoryPlace | null>(null)
  let reloading: ReturnType<typeof setTimeout> | undefined

  function beyond(place: StoryPlace): boolean {
    return hasMore.value && (end.value === null || comparePlaces(place, end.value) > 0)
  }

  function keep(stories: readonly Story[]): void {
    const heardMs = presentMs()
    for (const story of stories) heard.set(story.id, { story, heardMs })
  }

  function takePage(page: CallOutput<'operations.stories'>): void {
    keep(page.stories)
    paused.value = page.paused
    total.value = page.total
    hasMore.value = page.more
    end.value = page.stories.at(-1)?.place ?? end.value
  }

  /** From the first page to the last loaded one. */
  async function load(): Promise<void> {
    const wanted = Math.max(30, all.value.length)
    const pages = [await call('operations.stories', { limit: Math.min(100, wanted) })]
    for (
      let n = pages[0]?.stories.length ?? 0;
      pages.at(-1)?.more && n < wanted;
      n += pages.at(-1)?.stories.length ?? 0
    ) {
      pages.push(await call('operations.stories', { after: pages.at(-1)?.stories.at(-1)?.place ?? null, limit: 100 }))
    }
    // In one assignment, so that nothing flickers.
    heard.clear()
    end.value = null
    pages.forEach(takePage)
    isLoaded.value = true
    for (const one of watched) await loadWatched(one)
  }

  async function loadMore(): Promise<void> {
    takePage(await call('operations.stories', { after: end.value, limit: 30 }))
  }

  /** Keeps the stories up to date until the returned function is called. */
  function watch(one: Watched): () => void {
    watched.add(one)
    return () => void watched.delete(one)
  }

  async function loadWatched({ what, id }: Watched): Promise<void> {
    const page = await call('operations.stories', what === 'job' ? { jobId: id } : { id })
    keep(page.stories)
    paused.value = page.paused
  }

  /** One story with all of its work. */
  async function loadWhole(id: string): Promise<void> {
    keep((await call('operations.stories', { id })).stories)
  }

  async function loadPaused(): Promise<void> {
    paused.value = (await call('operations.paused', {})).paused
  }

  function take({ stories, ended, isMany, total: now }: Events['operations.stories']): void {
    total.value = now
    if (!isLoaded.value && watched.size === 0) return
    if (isMany) return reloadSoon()
    keep(stories)
    for (const id of ended) heard.delete(id)
  }

  function takePaused({ paused: now }: Events['operations.paused']): void {
    paused.value = now
    reloadSoon()
  }

  /** What pauses all work has changed: each story's text changes. */
  function reloadSoon(): void {
    if (!isLoaded.value && watched.size === 0) return
    clearTimeout(reloading)
    // After a failure, the next visit to the screen loads the stories again.
    reloading = setTimeout(() => void load().catch(() => (isLoaded.value = false)), reloadAfterMs)
  }

  function storiesOf({ what, id }: Watched): HeardStory[] {
    const own = what === 'story' ? heard.get(id) : undefined
    if (what === 'story') return own ? [own] : []
    return [...heard.values()].filter(
      ({ story }) =>
        story.jobs.some((job) => job.id === id) || story.operations.some((operation) => operation.jobId === id)
    )
  }

  return {
    all,
    heard,
    paused,
    total,
    hasMore,
    isLoaded,
    load,
    loadMore,
    loadWhole,
    loadWatched,
    loadPaused,
    watch,
    take,
    takePaused,
    reloadSoon,
    storiesOf
  }
})

function comparePlaces(a: StoryPlace, b: StoryPlace): number {
  return a.rank - b.rank || a.sequence - b.sequence || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** Trying now may have to wait for the gateway: minutes, with much waiting work. */
export const tryNowLimitMs = 600_000
