import type { StoryPlace } from '../../../../preload/contract/gateway/stories.ts'
import type { WaitingOperation } from '../../../data/store/work/operations.ts'

export interface WaitingJob {
  id: string
  vehicleId: number | null
}

export interface Group {
  id: string
  place: StoryPlace
  vehicleId: number | null
  rows: WaitingOperation[]
  jobIds: string[]
}

const rank = { person: 0, underWay: 1, unsent: 2, accepted: 3, held: 4, jobs: 5 } as const

/** Waiting work by vehicle, with its dependencies and the steps of its job; otherwise by job, otherwise alone. */
export function groupWaiting(
  rows: readonly WaitingOperation[],
  needs: readonly { id: string; needs: string }[],
  jobs: readonly WaitingJob[]
): Map<string, Group> {
  const groups = new Map<string, Group>()
  const storyOf = storyIds(rows, needs)
  /** Its work may know the vehicle before the job does. */
  const byWork = new Map<string, string>()
  for (const row of rows) {
    const group = groupOf(groups, storyOf(row))
    group.rows.push(row)
    if (row.jobId !== null && group.vehicleId !== null) byWork.set(row.jobId, group.id)
  }
  for (const { id, vehicleId } of jobs)
    groupOf(groups, vehicleId === null ? (byWork.get(id) ?? jobStory(id)) : vehicleStory(vehicleId)).jobIds.push(id)
  for (const group of groups.values()) {
    group.place = { rank: rankOf(group), sequence: group.rows[0]?.sequence ?? 0, id: group.id }
  }
  return groups
}

/** Those that need a person first, then by the next move, oldest first. */
export function comparePlaces(a: StoryPlace, b: StoryPlace): number {
  return a.rank - b.rank || a.sequence - b.sequence || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** The story of an operation alone; undefined when only dependent work can tell. */
export function ownStory({
  key,
  state,
  vehicleId,
  jobId
}: Pick<WaitingOperation, 'key' | 'state' | 'vehicleId' | 'jobId'>): string | undefined {
  // Typed text may look like a number of the gateway.
  if (jobId !== null && vehicleId === null && (state === 'draft' || state === 'needsAttention')) return jobStory(jobId)
  const vehicle = /^(?:note:)?vehicle:(\d+)$|^counter:(\d+):/.exec(key)
  const id = vehicle?.[1] ?? vehicle?.[2]
  if (id !== undefined) return vehicleStory(Number(id))
  if (vehicleId !== null) return vehicleStory(vehicleId)
  return jobId === null ? undefined : jobStory(jobId)
}

export function vehicleStory(id: number): string {
  return `vehicle:${id}`
}

function jobStory(id: string): string {
  return `job:${id}`
}

function storyIds(
  rows: readonly WaitingOperation[],
  needs: readonly { id: string; needs: string }[]
): (row: WaitingOperation) => string {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const wantedBy = Map.groupBy(needs, (need) => need.needs)
  const known = new Map<string, string>()

  return function storyOf(row: WaitingOperation): string {
    const before = known.get(row.id)
    if (before !== undefined) return before
    // Set first, to end at a circle of dependencies.
    known.set(row.id, row.key)
    const [wanting] = (wantedBy.get(row.id) ?? []).flatMap(({ id }) => byId.get(id) ?? [])
    const story = ownStory(row) ?? (wanting ? storyOf(wanting) : row.key)
    known.set(row.id, story)
    return story
  }
}

function groupOf(groups: Map<string, Group>, id: string): Group {
  let group = groups.get(id)
  if (!group) {
    const vehicle = /^vehicle:(\d+)$/.exec(id)
    groups.set(
      id,
      (group = {
        id,
        place: { rank: 0, sequence: 0, id },
        vehicleId: vehicle ? Number(vehicle[1]) : null,
        rows: [],
        jobIds: []
      })
    )
  }
  return group
}

function rankOf({ rows }: Group): number {
  return rows.reduce((least, row) => Math.min(least, rankOfRow(row)), rank.jobs as number)
}

function rankOfRow({ state, isPaused }: WaitingOperation): number {
  if (state === 'failed' || state === 'needsAttention') return rank.person
  if (state === 'sending' || state === 'verifying' || state === 'unknown') return rank.underWay
  if (state === 'accepted') return rank.accepted
  return isPaused || state === 'blocked' ? rank.held : rank.unsent
}
