/**
 * The statistics of a job and its steps, stored when it ends, so that statistics over years never read logs. Jobs that
 * ended before are added once, in a separate thread.
 */
export const numbers = `
create table job_numbers (
  job_id text primary key references job (id),
  ended_at text not null,
  -- From the first step to the end, with all pauses.
  lasted_ms integer not null,
  -- Whether every step that was run was done at its first attempt, and none was skipped.
  is_first_time integer not null
) strict, without rowid;
create index job_numbers_ended on job_numbers (ended_at);

create table step_numbers (
  job_id text not null references job_numbers (job_id),
  step_id text not null,
  kind text not null,
  title text not null,
  state text not null,
  attempts integer not null,
  work_ms integer not null,
  is_first_time integer not null,
  -- What it failed with first, and how often it failed.
  failure text,
  failures integer not null,
  primary key (job_id, step_id)
) strict, without rowid;
`
