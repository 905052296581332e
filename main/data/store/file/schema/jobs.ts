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

/** Jobs as lists show them, and their logs. */
const jobsAndLogs = `
create table job (
  key integer primary key,
  id text not null unique,
  kind text not null,
  state text not null,
  template_id text not null,
  template_version integer not null,
  template_name text not null,
  imei text not null,
  model text not null,
  address text not null,
  vehicle_id integer,
  vehicle_name text,
  customer text not null,
  technician text not null,
  created_at text not null,
  updated_at text not null,
  steps_done integer not null,
  steps_total integer not null,
  -- What a summary has beside these columns, as JSON.
  more text,
  words text not null,
  row_hash text not null,
  -- Of the end of its log, so that entries missing there are noticed.
  last_hash text not null,
  -- A finished job with a skipped step has a state of its own.
  standing text generated always as (
    case when state = 'done' and json_valid(more) and json_extract(more, '$.counts.waived') > 0 then 'doneSkipped' else state end
  ) virtual
) strict;
create index job_state on job (state, created_at, key);
create index job_imei on job (imei, key);
create index job_created on job (created_at, key, standing, customer, technician, template_id);

-- The log of a job: only ever added to. Each entry's hash covers the one before it.
create table journal (
  job_id text not null references job (id),
  seq integer not null,
  at text not null,
  type text not null,
  step_id text,
  data text not null,
  hash text not null,
  primary key (job_id, seq)
) strict, without rowid;
create trigger journal_is_never_changed before update on journal begin select raise(abort, 'the journal is only added to'); end;
-- "insert or replace" bypasses the trigger above.
create trigger journal_is_never_replaced before insert on journal
when exists (select 1 from journal where job_id = new.job_id and seq = new.seq)
begin select raise(abort, 'the journal is only added to'); end;
-- Only what a set-aside log contains may leave the log of its job (team_aside).
create trigger journal_is_never_shortened before delete on journal
when not exists (
  select 1 from team_aside_entry kept join team_aside aside on aside.job_id = kept.job_id and aside.number = kept.number
  where kept.job_id = old.job_id and kept.seq = old.seq and kept.seq >= aside.seq
    and kept.at = old.at and kept.type = old.type and kept.step_id is old.step_id and kept.data = old.data and kept.hash = old.hash
)
begin select raise(abort, 'the journal is only added to'); end;
`

const stateCounts = `
create table job_count (
  state text primary key,
  jobs integer not null
) strict, without rowid;

create trigger job_count_added after insert on job begin
  insert into job_count (state, jobs) values (new.state, 1) on conflict (state) do update set jobs = jobs + 1;
end;
create trigger job_count_moved after update of state on job when old.state <> new.state begin
  update job_count set jobs = jobs - 1 where state = old.state;
  insert into job_count (state, jobs) values (new.state, 1) on conflict (state) do update set jobs = jobs + 1;
end;
`

/** The index of the words of all jobs, by trigrams. It is derived and can be rebuilt at any time. */
export const jobWords = `
create virtual table job_word using fts5 (words, content = 'job', content_rowid = 'key', tokenize = 'trigram');
insert into job_word (job_word) values ('rebuild');
create trigger job_word_added after insert on job begin
  insert into job_word (rowid, words) values (new.key, new.words);
end;
create trigger job_word_changed after update of words on job when old.words <> new.words begin
  insert into job_word (job_word, rowid, words) values ('delete', old.key, old.words);
  insert into job_word (rowid, words) values (new.key, new.words);
end;
`

/** The number of jobs for each filter value, updated when jobs are written: counting all takes longer as the log grows. */
const facets = `
create table job_facet (
  facet text not null,
  value text not null,
  jobs integer not null,
  -- What the value is called, where it is an id.
  name text not null default '',
  primary key (facet, value)
) strict, without rowid;

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

export const jobs = `${jobsAndLogs}${stateCounts}${jobWords}${facets}`
