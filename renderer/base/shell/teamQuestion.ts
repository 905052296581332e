import type { TeamGroup, TeamJob } from '../../../preload/contract/team/team.ts'
import { sinceDaysAgo } from '../lists/dates.ts'

export const groups = ['all', 'needHelp', 'inWork', 'waiting', 'skipped'] as const
export type Group = (typeof groups)[number]

export const periods = ['today', 'week', 'month', 'all'] as const
export type Period = (typeof periods)[number]

/** A search in the team's jobs. */
export interface TeamQuestion {
  group: Group
  search: string
  /** Empty: anybody. */
  technician: string
  customer: string
  /** Null until the person chooses a period: then today, or all time for a text search. */
  period: Period | null
}

export const firstQuestion: TeamQuestion = { group: 'all', search: '', technician: '', customer: '', period: null }

export function periodOf({ period, search }: TeamQuestion): Period {
  return period ?? (search.trim() === '' ? 'today' : 'all')
}

const daysBack: Record<Exclude<Period, 'all'>, number> = { today: 0, week: 6, month: 29 }

/** From the start of today, or of the day that many days ago; undefined for all time. */
export function beginOf(period: Period): string | undefined {
  return period === 'all' ? undefined : sinceDaysAgo(daysBack[period])
}

/** A part of the list, with its own pages. */
export interface SectionQuestion {
  name: TeamGroup | 'found'
  ask: { group?: TeamGroup; search?: string; technician?: string; customer?: string; endedSince?: string }
}

/** The loaded rows of a part. */
export interface Section extends SectionQuestion {
  jobs: TeamJob[]
  /** The cursor of the next page; null at the end. */
  next: string | null
}

/**
 * Without search text the list has groups; search results are one group. Open jobs appear whatever their age: the
 * period applies to ended ones.
 */
export function sectionsOf(question: TeamQuestion): SectionQuestion[] {
  const { group, technician, customer } = question
  const search = question.search.trim()
  const begin = beginOf(periodOf(question))
  const who = {
    ...(technician === '' ? {} : { technician }),
    ...(customer === '' ? {} : { customer }),
    ...(begin === undefined ? {} : { endedSince: begin })
  }
  if (search !== '') return [{ name: 'found', ask: { ...(group === 'all' ? {} : { group }), search, ...who } }]
  if (group !== 'all') return [{ name: group, ask: { group, ...who } }]
  return grouped.map((name) => ({ name, ask: { group: name, ...who } }))
}

const grouped = ['inWork', 'waiting', 'ended'] as const

/** Whether a job still belongs to its group. */
export function belongsTo(
  name: SectionQuestion['name'],
  { state, needsHelp, counts }: Pick<TeamJob, 'state' | 'needsHelp' | 'counts'>
): boolean {
  switch (name) {
    case 'found':
      return true
    case 'needHelp':
      return needsHelp
    case 'skipped':
      return (counts?.waived ?? 0) > 0
    case 'inWork':
      return state === 'draft' || state === 'running'
    case 'waiting':
      return state === 'installedAwaitingGateway'
    case 'ended':
      return state === 'done' || state === 'failed' || state === 'cancelled'
  }
}
