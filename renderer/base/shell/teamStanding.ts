import type { Message } from '../../../preload/contract/messages.ts'
import type { TeamJob } from '../../../preload/contract/team/team.ts'
import type { TeamLive } from '../../../preload/contract/team/teamNews.ts'
import { formatSeconds } from '../format.ts'
import { say } from '../say.ts'
import { t } from '../texts.ts'
import type { Shape } from '../ui/status.ts'
import { countsText } from './jobStanding.ts'
import { formatListed } from './when.ts'
import { belongsTo } from './teamQuestion.ts'

/** The present activity of a team job in one sentence, from its holder's summary in the last push. */
export function nowOf(job: TeamJob): { shape: Shape; text: string } {
  const { state, counts, named = [], handedOver } = job
  if (handedOver)
    return {
      shape: 'none',
      text: handedOver.to
        ? t('windowTeamScreen.now.underWayTo', { to: handedOver.to })
        : t('windowTeamScreen.now.underWay')
    }
  if (state === 'cancelled') return { shape: 'none', text: t('windowLog.standing.cancelled') }
  if (state === 'installedAwaitingGateway')
    return {
      shape: 'defer',
      text: counts
        ? t('windowTeamScreen.now.waits', { n: counts.deferred })
        : t('windowLog.standing.installedAwaitingGateway')
    }
  if (state === 'done') return ended(job)
  const broken = named.find(({ state: bead }) => bead === 'fail' || bead === 'unreadable')
  if (broken)
    return {
      shape: broken.state === 'fail' ? 'fail' : 'unknown',
      text: t(broken.state === 'fail' ? 'windowTeamScreen.now.failed' : 'windowTeamScreen.now.notReadable', {
        step: broken.title
      })
    }
  if (state === 'failed') return { shape: 'fail', text: t('windowLog.standing.failed') }
  if (state === 'draft') return { shape: 'wait', text: t('common.notStarted') }
  const under = named.find(({ state: bead }) => bead === 'running')
  if (under) return { shape: 'live', text: say(under.title) }
  const next = named.find(({ state: bead }) => bead === 'waiting')
  return { shape: 'wait', text: next ? t('common.nextStep', { step: next.title }) : t('windowLog.standing.running') }
}

/** Skipped is never green, and work that was only sent is not among the passed. */
function ended({ counts }: TeamJob): { shape: Shape; text: string } {
  if (!counts) return { shape: 'pass', text: t('windowLog.standing.done') }
  if (counts.waived > 0) return { shape: 'waived', text: t('common.nSkipped', { n: counts.waived }) }
  return { shape: 'pass', text: t('windowJobs.counts.pass', { n: counts.pass + counts.warn }) }
}

/** The full text, as details on demand. */
export function aboutOf({ counts }: TeamJob): string {
  return counts ? countsText(counts) : ''
}

export function hasEnded({ state }: Pick<TeamJob, 'state'>): boolean {
  return belongsTo('ended', { state, needsHelp: false, counts: undefined })
}

/** For an open job, the age of its last news; for an ended one, when it ended. */
export function ageOf(job: TeamJob, nowMs: number): string {
  return hasEnded(job) ? formatListed(job.endedAt ?? job.updatedAt, nowMs) : shortAge(job.updatedAt, nowMs)
}

/** "now", "12 s", "48 min", "2 h", "3 days": one unit, for a narrow column. */
export function shortAge(iso: string, nowMs: number): string {
  const ageS = Math.round((nowMs - Date.parse(iso)) / 1000)
  if (ageS < 2) return t('common.nowInText')
  if (ageS < 120) return formatSeconds(ageS)
  const inS = ageS < 3600 ? 60 : 3600
  return formatSeconds(Math.floor(ageS / inS) * inS)
}

const passing: ReadonlySet<string> = new Set(['team.away', 'team.late', 'team.notNow', 'team.tooMany'])

/** Whether the failure resolves without a person: a silent team log may, a password or a certificate does not. */
export function isTemporary(why: Message | null): boolean {
  return why === null || passing.has(why.id)
}

/** "Technician One" is TO. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s._-]+/)
    .filter((word) => word !== '')
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

const heardLatelyMs = 120_000

/** Shown only for live work, not for old news. */
export function isLive(
  { state, updatedAt }: Pick<TeamJob, 'state' | 'updatedAt'>,
  live: TeamLive | null,
  nowMs: number
): boolean {
  return (
    state === 'running' &&
    nowMs - Date.parse(updatedAt) < heardLatelyMs &&
    (live?.state === 'listening' || live?.state === 'looking')
  )
}
