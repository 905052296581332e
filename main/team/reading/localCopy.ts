import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { TeamJob } from '../../../preload/contract/team/team.ts'
import type { TeamPins } from '../../../preload/contract/team/teamPins.ts'
import type { CopyBounds, Pin, TeamCopyStore } from '../../data/store/team/teamCopies.ts'
import { matchesRequest } from './copyMatch.ts'
import type { TeamJobsPage, TeamJobsRequest } from './jobs.ts'
import type { OpenedTeamJob } from './openJob.ts'
import type { Team } from '../team.ts'

export interface TeamCopyParts {
  team: Pick<Team, 'jobs' | 'openListed' | 'picture' | 'isMember'>
  kept: TeamCopyStore
  /** Why the team log is known to be unreachable now; null when it is not. */
  away?: () => Message | null
  bounds?: CopyBounds
  now?: () => Date
  refreshEveryMs?: number
}

export type KeptPage = TeamJobsPage & { keptAt: string | null; why: Message | null }
export type KeptTeamJob = OpenedTeamJob & { keptAt: string | null }

const standardBounds: CopyBounds = { jobs: 500, bytes: 64_000_000 }
/** An item larger than a quarter of the local copy would push out everything else. */
const mostOfOne = 0.25
const mostPins = 50
const jobsOfPin = 50

/** The team's jobs with and without the team log: opened and pinned ones are stored, and shown with their age. */
export function createTeamCopy({
  team,
  kept,
  away = () => null,
  bounds = standardBounds,
  now = () => new Date(),
  refreshEveryMs = 60_000
}: TeamCopyParts) {
  const at = (): string => now().toISOString()
  let isPinNew = false
  let refreshedAtMs = -Infinity

  function keep(listed: TeamJob, opened: OpenedTeamJob, isReadOnly: boolean): void {
    if (JSON.stringify(opened).length > bounds.bytes * mostOfOne) return
    asFarAsItGoes(() => {
      kept.keepJob({ listed, opened, keptAt: at(), isReadOnly })
      kept.makeRoom(bounds)
    })
  }

  /** If it cannot be stored (full disk, read-only folder), it is shown anyway. */
  function asFarAsItGoes(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }

  function keptPage(request: TeamJobsRequest, why: Message): KeptPage {
    const found = kept
      .listed()
      .filter(({ listed }) => matchesRequest(listed, request))
      .map(({ listed, keptAt }) => ({ ...listed, keptAt }))
    found.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
    const last = found.findIndex(({ id }) => id === request.after)
    // There is no page after an unknown job.
    const from = request.after !== undefined && last < 0 ? found.length : last + 1
    const jobs = found.slice(from, from + request.limit)
    const ages = jobs.map(({ keptAt }) => keptAt).sort()
    return {
      jobs,
      isSimilar: false,
      next: from + request.limit < found.length ? (jobs.at(-1)?.id ?? null) : null,
      keptAt: ages.at(-1) ?? null,
      why
    }
  }

  async function jobs(request: TeamJobsRequest, signal?: AbortSignal): Promise<KeptPage> {
    const known = away()
    if (known && team.isMember()) {
      // No local copy is not the same as an empty list.
      if (kept.size().jobs === 0) throw new AppError('UNREACHABLE', known, { retryable: true })
      return keptPage(request, known)
    }
    try {
      const page = await team.jobs(request, signal)
      // An unchanged local copy gets the age of this answer.
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
      // What the company dropped is removed from laptops too.
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
    /** A picture is identified by its hash: a local one is not downloaded again. */
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
    /** @throws AppError NOT_FOUND outside of a team, REFUSED when the limit is reached. */
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
    /** Downloads changed pinned jobs, one after the other with pauses. */
    async refresh(signal: AbortSignal): Promise<void> {
      // News arrive often while someone looks; the local copy may be slightly older.
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
        kept.setPinned(
          pin,
          found.map(({ id }) => id),
          at()
        )
      }
      kept.makeRoom(bounds)
    }
  }
}

export type TeamCopy = ReturnType<typeof createTeamCopy>

function requestOf({ kind, value }: Pin): Omit<TeamJobsRequest, 'limit'> {
  return kind === 'customer' ? { customer: value } : { ids: [value] }
}

/** Why the team log was not asked. @throws the server's own answer, if it gave one. */
function sentenceOfAway(error: unknown): Message {
  if (error instanceof AppError && ['UNREACHABLE', 'TIMEOUT', 'SERVER_ERROR'].includes(error.code))
    return error.sentence
  throw error
}
