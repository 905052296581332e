/** Settings, what was found missing on opening, and jobs with incomplete logs. */
export const computer = `
create table setting (
  name text primary key,
  value text not null
) strict;

create table preference (
  name text primary key,
  value text not null
) strict;

-- What was found missing on opening, as messages.
create table loss (
  key integer primary key,
  found_at text not null,
  message text not null,
  read_at text,
  read_by text
) strict;

create table damaged_job (
  job_id text primary key,
  found_at text not null,
  -- From which entry on its seal is broken; null when only its end is missing.
  entry integer,
  -- Entries that can be read.
  readable integer not null,
  message text not null
) strict, without rowid;
`
