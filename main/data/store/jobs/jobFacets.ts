import type Database from 'better-sqlite3'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { JobFacets } from '../../../../preload/contract/job/jobLog.ts'
import { onData, readMessage } from '../file/errors.ts'
import { factColumns, factNames, type JobFilter } from './jobFilter.ts'
import { filteredRows } from './jobPages.ts'

type FactName = (typeof factNames)[number]
type Prepare = (text: string) => { all(...values: unknown[]): unknown[] }
interface Counted {
  value: string
  jobs: number
  name?: string
}

/** The number of listed values of a facet, the most frequent first; the number of others is returned too. */
const listedAtMost = 200
const facetOf: Record<FactName, string> = {
  standings: 'standing',
  customers: 'customer',
  technicians: 'technician',
  templates: 'template'
}

/** A facet narrows the others and never itself: an unselected value shows how many jobs it would add. */
function without(filter: JobFilter, name: FactName): JobFilter {
  const { [name]: _own, ...others } = filter
  return others
}

/** Whether it matches every job: the file already has the counts of the whole log. */
export function isWhole(filter: JobFilter): boolean {
  return Object.values(filter).every((value) => value === undefined || value === '')
}

/**
 * The jobs of a filter by state, customer, technician, checklist and month; computed unless of the whole log: in a
 * thread.
 */
export function readFacets(prepare: Prepare, filter: JobFilter): JobFacets {
  const kept = (facet: string): Counted[] =>
    prepare('select value, jobs, name from job_facet where facet = ? and jobs > 0 order by jobs desc, value').all(
      facet
    ) as Counted[]

  function counted(wanted: JobFilter, facet: string, column: string): Counted[] {
    if (isWhole(wanted)) return kept(facet)
    const rows = filteredRows(wanted)
    if (!rows) return []
    const text = `select ${column} as value, count(*) as jobs from ${rows.from} where ${rows.where} group by value order by jobs desc, value`
    return prepare(text).all(rows.values) as Counted[]
  }

  return onData(() => {
    const names = new Map(kept('template').map(({ value, name }) => [value, name ?? '']))
    const fact = (name: FactName) => counted(without(filter, name), facetOf[name], `job.${factColumns[name]}`)
    const months = counted(filter, 'month', 'substr(job.created_at, 1, 7)').sort((a, b) => (a.value < b.value ? 1 : -1))
    const templates = fact('templates')
    return {
      total: months.reduce((sum, { jobs }) => sum + jobs, 0),
      standings: Object.fromEntries(fact('standings').map(({ value, jobs }) => [value, jobs])),
      customers: cut(fact('customers')),
      technicians: cut(fact('technicians')),
      templates: {
        ...cut(templates),
        values: templates
          .slice(0, listedAtMost)
          .map(({ value, jobs }) => ({ value, jobs, name: readName(names.get(value), value) }))
      },
      months: months.map(({ value, jobs }) => ({ month: value, jobs }))
    } satisfies JobFacets
  })
}

function cut(all: Counted[]): { values: { value: string; jobs: number }[]; more: number } {
  return {
    values: all.slice(0, listedAtMost).map(({ value, jobs }) => ({ value, jobs })),
    more: Math.max(0, all.length - listedAtMost)
  }
}

function readName(stored: string | undefined, id: string): Message {
  return readMessage(stored || id)
}

/** The facets of a file that another thread writes to. */
export function countFacets(sql: Database.Database, filter: JobFilter): JobFacets {
  return readFacets((text) => sql.prepare(text), filter)
}
