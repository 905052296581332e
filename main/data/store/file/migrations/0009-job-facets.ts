interface FacetColumn {
  facet: string
  /** The columns that it is computed from. */
  columns: string
  /** How it is read from a row. */
  value(row: string): string
  /** The display name of an id. */
  name?(row: string): string
}

const facetColumns: readonly FacetColumn[] = [
  { facet: 'standing', columns: 'state, more', value: (row) => `${row}.standing` },
  { facet: 'customer', columns: 'customer', value: (row) => `${row}.customer` },
  { facet: 'technician', columns: 'technician', value: (row) => `${row}.technician` },
  {
    facet: 'template',
    columns: 'template_id',
    value: (row) => `${row}.template_id`,
    name: (row) => `${row}.template_name`
  },
  { facet: 'month', columns: 'created_at', value: (row) => `substr(${row}.created_at, 1, 7)` }
]

/**
 * The number of jobs for each filter value. A finished job with a skipped step has a state of its own. Counting the
 * whole log takes longer as it grows, so the counts are updated when jobs are written.
 */
export const jobFacets = `
alter table job add column standing text generated always as (
  case when state = 'done' and json_valid(more) and json_extract(more, '$.counts.waived') > 0 then 'doneSkipped' else state end
) virtual;

-- Every column that the log is filtered by: a filter is looked for in here, and only what is shown is read.
drop index job_created;
create index job_created on job (created_at, key, standing, customer, technician, template_id);

create table job_facet (
  facet text not null,
  value text not null,
  jobs integer not null,
  -- What the value is called, where it is an id.
  name text not null default '',
  primary key (facet, value)
) strict, without rowid;
${facetColumns.map(({ facet, value, name }) => `insert into job_facet (facet, value, jobs, name) select '${facet}', ${value('job')} as value, count(*), ${name ? `max(${name('job')})` : "''"} from job group by value;`).join('\n')}

create trigger job_facet_added after insert on job begin
  ${facetColumns.map(({ facet, value, name }) => added(facet, value('new'), name?.('new'))).join('\n  ')}
end;
${facetColumns
  .map(
    ({
      facet,
      columns,
      value,
      name
    }) => `create trigger job_facet_moved_${facet} after update of ${columns} on job when ${value('old')} <> ${value('new')} begin
  update job_facet set jobs = jobs - 1 where facet = '${facet}' and value = ${value('old')};
  ${added(facet, value('new'), name?.('new'))}
end;`
  )
  .join('\n')}
`

function added(facet: string, value: string, name = "''"): string {
  return `insert into job_facet (facet, value, jobs, name) values ('${facet}', ${value}, 1, ${name}) on conflict (facet, value) do update set jobs = jobs + 1, name = excluded.name;`
}
