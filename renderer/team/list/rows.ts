import type { TeamJob } from '../../../preload/contract/team/team.ts'
import type { Assigned } from '../../../preload/contract/team/teamAssigned.ts'
import type { Section } from '../../base/shell/teamQuestion.ts'

/** A row of the list: a group heading, a job, or a prepared job. */
export type TeamLine =
  | { kind: 'head'; key: string; name: Section['name'] | 'assigned'; n: number | null }
  | { kind: 'job'; key: string; job: TeamJob; section: Section['name']; place: number }
  | { kind: 'assigned'; key: string; assigned: Assigned }

/** All rows in order. The size of a partly loaded group comes from the counts, if they contain it. */
export function linesOf({
  sections,
  assigned,
  countOf
}: {
  sections: readonly Section[]
  assigned: readonly Assigned[]
  countOf: (name: Section['name']) => number | null
}): TeamLine[] {
  const lines: TeamLine[] = []
  let place = 0
  const addAssigned = () => {
    if (assigned.length === 0) return
    lines.push({ kind: 'head', key: 'head assigned', name: 'assigned', n: assigned.length })
    for (const one of assigned) lines.push({ kind: 'assigned', key: `assigned ${one.id}`, assigned: one })
  }
  const isGrouped = sections.length > 1
  for (const { name, jobs, next } of sections) {
    if (name === 'ended' && isGrouped) addAssigned()
    if (isGrouped && jobs.length > 0)
      lines.push({ kind: 'head', key: `head ${name}`, name, n: next === null ? jobs.length : countOf(name) })
    for (const job of jobs) lines.push({ kind: 'job', key: job.id, job, section: name, place: ++place })
  }
  return lines
}
