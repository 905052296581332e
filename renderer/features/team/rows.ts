import type { TeamJob } from '../../../preload/contract/team.ts'
import type { Section } from './useTeamPages.ts'

/** A line of the list: the name of a group, a job, or one that is prepared. */
export type TeamLine = { kind: 'head'; key: string; name: Section['name']; n: number | null } | { kind: 'job'; key: string; job: TeamJob; section: Section['name']; place: number }

/** All lines in their order. Of a group that is read in part, how many it has is told by the counts, where they tell it. */
export function linesOf({ sections, countOf }: { sections: readonly Section[]; countOf: (name: Section['name']) => number | null }): TeamLine[] {
  const lines: TeamLine[] = []
  let place = 0
  const isGrouped = sections.length > 1
  for (const { name, jobs, next } of sections) {
    if (isGrouped && jobs.length > 0) lines.push({ kind: 'head', key: `head ${name}`, name, n: next === null ? jobs.length : countOf(name) })
    for (const job of jobs) lines.push({ kind: 'job', key: job.id, job, section: name, place: ++place })
  }
  return lines
}
