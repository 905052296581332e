/** Jobs with incomplete logs, and who has read the notices of losses. */
export const damage = `
create table damaged_job (
  job_id text primary key,
  found_at text not null,
  -- From which entry on its seal is broken; null when only its end is missing.
  entry integer,
  -- Entries that can be read.
  readable integer not null,
  message text not null
) strict, without rowid;

alter table loss add column read_at text;
alter table loss add column read_by text;
`
