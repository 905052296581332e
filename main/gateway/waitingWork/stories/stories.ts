import { z } from 'zod'
import type { GatewayStatus } from '../../../../preload/contract/gateway/gateway.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type {
  HeldBack,
  NextMove,
  Paused,
  Story,
  StoryJob,
  StoryNews,
  StoryOperation,
  StoryPlace
} from '../../../../preload/contract/gateway/stories.ts'
import type { Operations } from '../engine.ts'
import { comparePlaces, groupWaiting, type Group, type WaitingJob } from './grouping.ts'
import { nextLook, nextMoveOf, type PassTimes, type Surroundings } from './nextMove.ts'
import type { OperationStore, StoredOperation, WaitingOperation } from '../../../data/store/work/operations.ts'
import { hasEnded, lineOf } from '../transitions.ts'
import { sayStory } from './storyTexts.ts'

export interface StoryParts {
  rows: Pick<OperationStore, 'waiting' | 'openNeeds' | 'get' | 'needsOf'>
  operations: Pick<Operations, 'standing'>
  jobs: {
    /** Those with waiting gateway steps, oldest first. */
    waiting(): WaitingJob[]
    /** Its steps that wait; never throws. */
    story(
      id: string
    ): Omit<StoryJob, 'next'> & { vehicleText: string; vehicle: { name: string; plate: string | null } | null }
  }
  vehicle(id: number): Promise<{ name: string; plate: string | null } | undefined>
  gatewayState(): Promise<GatewayStatus['state']>
  passes(): PassTimes | null
  paused(): Paused
}

export interface StoryPage {
  stories: Story[]
  more: boolean
  total: number
}

/** The part of a story in a list; a story that is requested alone has everything that a person can read. */
const inList = { operations: 12, jobs: 5 }
const alone = { operations: 500, jobs: 100 }

export function createStories(parts: StoryParts) {
  function groups(): Map<string, Group> {
    return groupWaiting(parts.rows.waiting(), parts.rows.openNeeds(), parts.jobs.waiting())
  }

  async function surroundings(): Promise<Surroundings> {
    return { gateway: await parts.gatewayState(), passes: parts.passes(), isAllPaused: parts.paused() !== null }
  }

  async function told(chosen: Group[], limits: typeof inList): Promise<Story[]> {
    const around = await surroundings()
    const stories: Story[] = []
    for (const group of chosen) stories.push(await tell(group, around, limits))
    return stories
  }

  function movesOf(group: Group, around: Surroundings): Map<string, NextMove> {
    const firsts = new Map<string, WaitingOperation>()
    for (const row of group.rows) if (row.state !== 'failed' && !firsts.has(row.key)) firsts.set(row.key, row)
    return new Map(
      group.rows.map((row) => [
        row.id,
        nextMoveOf(row, firsts.get(row.key) ?? row, parts.operations.standing(row.id), around)
      ])
    )
  }

  async function tell(group: Group, around: Surroundings, limits: typeof inList): Promise<Story> {
    const moves = movesOf(group, around)
    const shown = chooseRows(group.rows, moves, limits.operations)
    const operations = shown.flatMap((row) => tellOperation(row.id, moves.get(row.id)))
    const jobs = group.jobIds.slice(0, limits.jobs).map((id) => parts.jobs.story(id))
    const next = nextLook(around)
    const unsent = group.rows.filter(({ state, isLive }) => (state === 'draft' || state === 'pending') && !isLive)
    const storyJobs = jobs.map(({ vehicle: _vehicle, vehicleText: _text, ...job }): StoryJob => ({ ...job, next }))
    const steps = storyJobs.reduce((n, job) => n + job.steps.length, 0)
    const needPerson = group.rows.filter(({ state }) => state === 'failed' || state === 'needsAttention').length
    return {
      id: group.id,
      place: group.place,
      about: await aboutOf(group, jobs, operations),
      ...sayStory({ operations, jobs: storyJobs, needPerson, paused: parts.paused() }),
      needPerson,
      waiting: group.rows.length - needPerson + steps,
      isPaused: unsent.length > 0 && unsent.every(({ isPaused }) => isPaused),
      jobs: storyJobs,
      operations,
      moreOperations: group.rows.length - shown.length,
      moreJobs: group.jobIds.length - jobs.length
    }
  }

  function tellOperation(id: string, next: NextMove | undefined): StoryOperation[] {
    const row = parts.rows.get(id)
    if (!row || !next || hasEnded(row.state)) return []
    const needs =
      row.state === 'blocked'
        ? parts.rows.needsOf(id).flatMap(({ id: needed }) => neededOf(parts.rows.get(needed)))
        : []
    return [{ ...lineOf(row), next, paused: row.paused, needs }]
  }

  async function aboutOf(
    { vehicleId }: Group,
    jobs: ReturnType<StoryParts['jobs']['story']>[],
    operations: StoryOperation[]
  ): Promise<Story['about']> {
    const [job] = jobs
    const [operation] = operations
    const row = operation && parts.rows.get(operation.id)
    if (vehicleId !== null) {
      const known = (await parts.vehicle(vehicleId)) ?? job?.vehicle
      return {
        kind: 'vehicle',
        id: vehicleId,
        name: known?.name ?? (row && vehicleNameIn(row)) ?? String(vehicleId),
        plate: known?.plate ?? null
      }
    }
    const typed = job?.vehicleText || (row?.state === 'draft' || row?.jobId ? row && vehicleNameIn(row) : undefined)
    if (typed) return { kind: 'named', name: typed }
    return { kind: 'other', title: operation?.title ?? job?.name ?? message('waiting.nothing') }
  }

  return {
    async page({ after, limit }: { after: StoryPlace | null; limit: number }): Promise<StoryPage> {
      const all = [...groups().values()].sort((a, b) => comparePlaces(a.place, b.place))
      const rest = after === null ? all : all.filter(({ place }) => comparePlaces(place, after) > 0)
      return { stories: await told(rest.slice(0, limit), inList), more: rest.length > limit, total: all.length }
    },
    async ofJob(jobId: string): Promise<StoryPage> {
      const found = [...groups().values()].filter(
        ({ rows, jobIds }) => jobIds.includes(jobId) || rows.some((row) => row.jobId === jobId)
      )
      return { stories: await told(found, inList), more: false, total: found.length }
    },
    async one(id: string): Promise<StoryPage> {
      const group = groups().get(id)
      return { stories: group ? await told([group], alone) : [], more: false, total: group ? 1 : 0 }
    },
    async about(
      concerned: { operationIds: ReadonlySet<string>; jobIds: ReadonlySet<string>; storyIds: ReadonlySet<string> },
      limit: number
    ): Promise<StoryNews> {
      const now = groups()
      const found = [...now.values()].filter(
        ({ id, rows, jobIds }) =>
          concerned.storyIds.has(id) ||
          rows.some((row) => concerned.operationIds.has(row.id)) ||
          jobIds.some((jobId) => concerned.jobIds.has(jobId))
      )
      if (found.length > limit) return { stories: [], ended: [], isMany: true, total: now.size }
      return {
        stories: await told(found, inList),
        ended: [...concerned.storyIds].filter((id) => !now.has(id)),
        isMany: false,
        total: now.size
      }
    },
    async waits(): Promise<Map<string, NextMove>> {
      const around = await surroundings()
      return new Map([...groups().values()].flatMap((group) => [...movesOf(group, around)]))
    },
    /** The operations of a story or an operation, or all waiting ones. Live work is followed by its sender. */
    targets(id: string | null): string[] {
      const rows =
        id === null
          ? parts.rows.waiting()
          : (groups().get(id)?.rows ?? parts.rows.waiting().filter((row) => row.id === id))
      return rows.filter(({ isLive }) => !isLive).map((row) => row.id)
    },
    /** What "try now" cannot change, and for how long. */
    async heldBack(ids: readonly string[], limited: readonly string[]): Promise<HeldBack[]> {
      const around = await surroundings()
      return ids.flatMap((id) => {
        const row = parts.rows.get(id)
        return row
          ? heldOf(row, { standing: parts.operations.standing(id), isLimited: limited.includes(id), around })
          : []
      })
    }
  }
}

export type Stories = ReturnType<typeof createStories>

/** What needs a person, what moves next, then the rest in order: a list shows only some of many. */
function chooseRows(rows: WaitingOperation[], moves: ReadonlyMap<string, NextMove>, limit: number): WaitingOperation[] {
  if (rows.length <= limit) return rows
  const weight = (row: WaitingOperation): number => {
    const cause = moves.get(row.id)?.cause
    if (cause === 'person' || cause === 'office') return 0
    return cause === 'older' || cause === 'decision' || cause === 'need' ? 2 : 1
  }
  return rows.toSorted((a, b) => weight(a) - weight(b) || a.sequence - b.sequence).slice(0, limit)
}

function neededOf(row: StoredOperation | undefined): { id: string; title: Message }[] {
  return row && row.state !== 'done' ? [{ id: row.id, title: row.title }] : []
}

const naming = z.union([
  z.object({ vehicle: z.string() }).transform(({ vehicle }) => vehicle),
  z.object({ primary: z.object({ text: z.string() }) }).transform(({ primary }) => primary.text)
])

/** The name of the intended vehicle at the time of creation. */
function vehicleNameIn({ payload }: StoredOperation): string | undefined {
  return naming.safeParse(payload).data || undefined
}

function heldOf(
  { id, title, state, paused }: StoredOperation,
  {
    standing,
    isLimited,
    around
  }: { standing: ReturnType<Operations['standing']>; isLimited: boolean; around: Surroundings }
): HeldBack[] {
  const held = (cause: HeldBack['cause'], inMs: number | null): HeldBack[] => [{ id, title, cause, inMs }]
  if (hasEnded(state) || state === 'failed' || state === 'needsAttention') return []
  if (around.gateway === 'notSet') return held('noGateway', null)
  if (around.gateway === 'signedOut') return held('signIn', null)
  if ((around.isAllPaused || paused !== null) && (state === 'draft' || state === 'pending')) return held('pause', null)
  if (standing.graceMs > 0 && state === 'unknown') return held('readBack', standing.graceMs)
  return isLimited
    ? held(state === 'unknown' || state === 'accepted' ? 'readBack' : 'limit', standing.hold?.inMs ?? null)
    : []
}
