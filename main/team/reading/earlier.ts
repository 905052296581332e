import { z } from 'zod'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import type { ListedJob } from '../../../preload/contract/job/jobs.ts'
import { teamJob, type TeamJob } from '../../../preload/contract/team/team.ts'
import type { TeamEarlierStore } from '../../data/store/team/teamEarlier.ts'
import type { Team } from '../team.ts'
import { isEither } from './copyMatch.ts'

export interface EarlierParts {
  team: Pick<Team, 'jobs' | 'status' | 'isMember'>
  store: { teamEarlier: TeamEarlierStore }
  own(search: string, limit: number): ListedJob[]
  now?: () => Date
}

type Wanted = CallParsed<'team.earlier'>
type EarlierJob = CallOutput<'team.earlier'>['jobs'][number]

const mostShown = 100
const keptJobs = z.array(teamJob)

/** Every job of a device or a vehicle: those of this laptop and those of the team, each once. */
export function createEarlier({ team, store: { teamEarlier: kept }, own, now = () => new Date() }: EarlierParts) {
  return {
    async of(wanted: Wanted, signal?: AbortSignal): Promise<CallOutput<'team.earlier'>> {
      const { joined } = team.status()
      if (!joined) return { isJoined: false, jobs: [], isMore: false, keptAt: null, why: null }
      const here = ownJobs(wanted, own)
      const shown = (told: readonly TeamJob[]) => merge(here, told, joined.name)
      const { imei, vehicleId, plate } = wanted
      const either = {
        ...(imei ? { imei } : {}),
        ...(vehicleId === undefined ? {} : { vehicleId }),
        ...(plate ? { plate } : {})
      }
      const of = JSON.stringify(either)
      const copy = kept.find(of)
      const present = keptJobs.safeParse(copy?.content)
      const fromCopy = {
        isJoined: true,
        jobs: shown(present.success ? present.data : []),
        isMore: false,
        keptAt: present.success && copy ? copy.keptAt : null,
        why: null
      }
      if (wanted.from === 'copy' || of === '{}') return fromCopy
      try {
        const { jobs, next } = await team.jobs({ either, limit: mostShown }, signal)
        kept.keep(of, jobs, now().toISOString())
        return { isJoined: true, jobs: shown(jobs), isMore: next !== null, keptAt: null, why: null }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { ...fromCopy, why: error.sentence }
      }
    }
  }
}

export type Earlier = ReturnType<typeof createEarlier>

function ownJobs(wanted: Wanted, own: EarlierParts['own']): ListedJob[] {
  const { imei, plate, name } = wanted
  const found = [imei, plate, name]
    .flatMap((words) => (words ? own(words, mostShown) : []))
    .filter((job) => isEither(job, wanted))
  return [...new Map(found.map((job) => [job.id, job])).values()]
}

/** Jobs held here have their local state; jobs of others the state in the team log. Newest first. */
function merge(here: readonly ListedJob[], told: readonly TeamJob[], name: string): EarlierJob[] {
  const ours = new Map(here.map((job) => [job.id, job]))
  const theirs = told.filter(({ id }) => !ours.has(id) || ours.get(id)?.handedOver)
  const known = new Set(theirs.map(({ id }) => id))
  return [
    ...theirs.map((job) => ({ ...job, isHere: ours.has(job.id) })),
    ...here
      .filter(({ id }) => !known.has(id))
      .map((job) => ({
        ...job,
        holder: job.handedOver?.to ?? name,
        isMine: !job.handedOver,
        changedAt: job.updatedAt,
        needsHelp: false,
        endedAt: null,
        entries: 0,
        forks: 0,
        keptAt: null,
        isHere: true
      }))
  ].sort((one, other) => other.createdAt.localeCompare(one.createdAt))
}
