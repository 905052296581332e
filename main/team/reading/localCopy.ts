import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { TeamJob } from '../../../preload/contract/team/team.ts'
import type { TeamPins } from '../../../preload/contract/team/teamKept.ts'
import type { KeptBounds, Pin, TeamKeptStore } from '../../store/team/teamKept.ts'
import { matchesRequest } from './copyMatch.ts'
import type { TeamJobsPage, TeamJobsRequest } from './jobs.ts'
import type { OpenedTeamJob } from './openJob.ts'
import type { Team } from '../team.ts'

export interface TeamCopyParts {
  team: Pick<Team, 'jobs' | 'openListed' | 'picture' | 'isMember'>
  kept: TeamKeptStore
  /** Why the team log is known to be away at this moment; null where it is not. */
  away?: () => Message | null
  bounds?: KeptBounds
  now?: () => Date
  refreshEveryMs?: number
}

export type KeptPage = TeamJobsPage & { keptAt: string | null; why: Message | null }
export type KeptTeamJob = OpenedTeamJob & { keptAt: string | null }

const standardBounds: KeptBounds = { jobs: 500, bytes: 64_000_000 }
/** A single thing of more than a quarter of what is kept at all would drive everything else out. */
const mostOfOne = 0.25
const mostPins = 50
const jobsOfPin = 50

/**
 * The team's jobs with and without the team log: what was opened and what is pinned is kept here, so much and no more, and
 * shown with its age while the team log is away. Nothing else is shown then.
 */
export function createTeamCopy({ team, kept, away = () => null, bounds = standardBounds, now = () => new Date(), refreshEveryMs = 60_000 }: TeamCopyParts) {
  const at = (): string => now().toISOString()
  let isPinNew = false
  let refreshedAtMs = -Infinity

  function keep(listed: TeamJob, opened: OpenedTeamJob, isLookedAt: boolean): void {
    if (JSON.stringify(opened).length > bounds.bytes * mostOfOne) return
    asFarAsItGoes(() => {
      kept.keepJob({ listed, opened, keptAt: at(), isLookedAt })
      kept.makeRoom(bounds)
    })
  }

  /** What cannot be kept, on a full disk or in a folder that is only looked at, is shown all the same. */
  function asFarAsItGoes(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }

  function keptPage(request: TeamJobsRequest, why: Message): KeptPage {
    const found = kept.listed().filter(({ listed }) => matchesRequest(listed, request)).map(({ listed, keptAt }) => ({ ...listed, keptAt }))
    found.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
    const last = found.findIndex(({ id }) => id === request.after)
    // After one that is not there comes none.
    const from = request.after !== undefined && last < 0 ? found.length : last + 1
    const jobs = found.slice(from, from + request.limit)
    const ages = jobs.map(({ keptAt }) => keptAt).sort()
    return { jobs, isSimilar: false, next: from + request.limit < found.length ? (jobs.at(-1)?.id ?? null) : null, keptAt: ages.at(-1) ?? null, why }
  }

  async function jobs(request: TeamJobsRequest, signal?: AbortSignal): Promise<KeptPage> {
    const known = away()
    if (known && team.isMember()) {
      // Nothing is kept here: that is no empty list.
      if (kept.size().jobs === 0) throw new AppError('UNREACHABLE', known, { retryable: true })
      return keptPage(request, known)
    }
    try {
      const page = await team.jobs(request, signal)
      // What is kept and has not changed is as old as this answer.
      asFarAsItGoes(() => {
        for (const job of page.jobs) if (kept.entriesOf(job.id) === job.entries) kept.stillSo(job, at())
      })
      return { ...page, keptAt: null, why: null }
    } catch (error) {
      const why = sentenceOfAway(error)
      if (kept.size().jobs === 0) throw error
      return keptPage(request, why)
    }
  }

  async function open(id: string, signal?: AbortSignal): Promise<KeptTeamJob> {
    try {
      const { listed, opened } = await team.openListed(id, signal)
      keep(listed, opened, true)
      return { ...opened, keptAt: null }
    } catch (error) {
      // What the company no longer has stays on no laptop either.
      if (error instanceof AppError && error.code === 'NOT_FOUND') asFarAsItGoes(() => kept.dropJob(id))
      sentenceOfAway(error)
      const copy = kept.job(id)
      if (!copy) throw error
      asFarAsItGoes(() => kept.lookedAt(id, at()))
      return { ...(copy.opened as OpenedTeamJob), keptAt: copy.keptAt }
    }
  }

  return {
    jobs,
    open,
    /** A picture is what its hash says: one that is here is not fetched again. */
    async picture(sha256: string, signal?: AbortSignal): Promise<{ mediaType: string; bytes: Buffer }> {
      const copy = team.isMember() ? kept.picture(sha256) : undefined
      if (copy) {
        asFarAsItGoes(() => kept.pictureLookedAt(sha256, at()))
        return copy
      }
      const picture = await team.picture(sha256, signal)
      if (picture.bytes.length <= bounds.bytes * mostOfOne) {
        asFarAsItGoes(() => {
          kept.keepPicture({ sha256, ...picture, at: at() })
          kept.makeRoom(bounds)
        })
      }
      return picture
    },
    pins(): TeamPins {
      return { pins: kept.pins() as TeamPins['pins'], kept: { ...kept.size(), mostBytes: bounds.bytes } }
    },
    /** @throws AppError NOT_FOUND where no team was joined, REFUSED where there are enough. */
    pin(pin: Pin): TeamPins {
      if (!team.isMember()) throw new AppError('NOT_FOUND', message('team.notJoined'))
      if (kept.pins().length >= mostPins) throw new AppError('REFUSED', message('teamKept.enough', { most: mostPins }))
      kept.pin(pin, at())
      isPinNew = true
      return this.pins()
    },
    unpin(pin: Pin): TeamPins {
      kept.unpin(pin)
      return this.pins()
    },
    /** Fetches what is pinned and has changed: one job after the other, with a breath between them. */
    async refresh(signal: AbortSignal): Promise<void> {
      // News come often while somebody looks; what is kept may be a little older.
      if (!isPinNew && performance.now() - refreshedAtMs < refreshEveryMs) return
      isPinNew = false
      refreshedAtMs = performance.now()
      for (const pin of kept.pins()) {
        const { jobs: found } = await team.jobs({ ...requestOf(pin), limit: jobsOfPin }, signal)
        for (const job of found) {
          signal.throwIfAborted()
          if (kept.entriesOf(job.id) === job.entries) kept.stillSo(job, at())
          else {
            const { listed, opened } = await team.openListed(job.id, signal)
            keep(listed, opened, false)
            await setImmediate()
          }
        }
        kept.setPinned(pin, found.map(({ id }) => id), at())
      }
      kept.makeRoom(bounds)
    }
  }
}

export type TeamCopy = ReturnType<typeof createTeamCopy>

function requestOf({ kind, value }: Pin): Omit<TeamJobsRequest, 'limit'> {
  return kind === 'customer' ? { customer: value } : { ids: [value] }
}

/** Why the team log was not asked. @throws whatever it answered itself. */
function sentenceOfAway(error: unknown): Message {
  if (error instanceof AppError && ['UNREACHABLE', 'TIMEOUT', 'SERVER_ERROR'].includes(error.code)) return error.sentence
  throw error
}
