import { asMessage, plainMessage, type Message } from '../../../../../preload/contract/messages.ts'
import type Database from 'better-sqlite3'
import type { JobSummary } from '../../../../../preload/contract/job/jobs.ts'
import { rowOf } from '../../jobs/jobRow.ts'
import { readJson } from '../errors.ts'

/**
 * The list of jobs in columns, in the order of creation, with a trigram index of their words. The row contains the
 * words; the index is derived and can be rebuilt at any time.
 */
const tables = `
create table job_next (
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
  last_hash text not null
) strict;

-- What was found missing on opening, as messages.
create table loss (
  key integer primary key,
  found_at text not null,
  message text not null
) strict;

create table job_count (
  state text primary key,
  jobs integer not null
) strict, without rowid;
`

const indexes = `
drop table job;
alter table job_next rename to job;
create index job_created on job (created_at, key);
create index job_state on job (state, created_at, key);
create index job_imei on job (imei, key);

insert into job_count (state, jobs) select state, count(*) from job group by state;
create trigger job_count_added after insert on job begin
  insert into job_count (state, jobs) values (new.state, 1) on conflict (state) do update set jobs = jobs + 1;
end;
create trigger job_count_moved after update of state on job when old.state <> new.state begin
  update job_count set jobs = jobs - 1 where state = old.state;
  insert into job_count (state, jobs) values (new.state, 1) on conflict (state) do update set jobs = jobs + 1;
end;
`

/** Also used to rebuild a damaged index. */
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

const insertRow = `
insert into job_next (id, kind, state, template_id, template_version, template_name, imei, model, address, vehicle_id, vehicle_name,
  customer, technician, created_at, updated_at, steps_done, steps_total, more, words, row_hash, last_hash)
values (@id, @kind, @state, @templateId, @templateVersion, @templateName, @imei, @model, @address, @vehicleId, @vehicleName,
  @customer, @technician, @createdAt, @updatedAt, @stepsDone, @stepsTotal, @more, @words, @rowHash, @lastHash)
`

interface OldRow {
  id: string
  kind: string
  state: string
  template_id: string
  imei: string
  summary: string
  created_at: string
  updated_at: string
  last_hash: string
}

const atOnce = 500

export function jobColumns(sql: Database.Database, progress: (done: number, total: number) => void): void {
  const total = sql.prepare<[], { n: number }>('select count(*) as n from job').get()?.n ?? 0
  sql.exec(tables)
  // In the order of creation, page by page: a log of years is larger than memory.
  sql.exec('create index job_made on job (created_at, id)')
  const page = sql.prepare<[string, string, number], OldRow>(
    'select * from job where (created_at, id) > (?, ?) order by created_at, id limit ?'
  )
  const insert = sql.prepare(insertRow)
  let done = 0
  let last = { created_at: '', id: '' }
  for (;;) {
    const rows = page.all(last.created_at, last.id, atOnce)
    for (const row of rows) insert.run({ ...rowOf(summaryOf(row)), lastHash: row.last_hash })
    done += rows.length
    progress(done, total)
    const end = rows.at(-1)
    if (!end) break
    last = end
  }
  sql.exec(indexes)
  sql.exec(jobWords)
}

/** What a row does not say stands in its columns. */
function summaryOf(row: OldRow): JobSummary {
  const { template, ...summary } = readJson<
    Partial<Omit<JobSummary, 'template'>> & {
      template?: Omit<JobSummary['template'], 'name'> & { name: string | Message }
    }
  >(row.summary)
  return {
    template: { id: row.template_id, version: 0, name: plainMessage(row.template_id) },
    device: { imei: row.imei, model: '', address: '' },
    vehicle: null,
    customer: '',
    technician: '',
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    stepsDone: 0,
    stepsTotal: 0,
    ...summary,
    ...(template ? { template: { ...template, name: asMessage(template.name) } } : {}),
    id: row.id,
    kind: row.kind as JobSummary['kind'],
    state: row.state as JobSummary['state']
  }
}
