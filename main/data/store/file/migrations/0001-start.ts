export const start = `
create table setting (
  name text primary key,
  value text not null
) strict;

create table job (
  id text primary key,
  kind text not null,
  state text not null,
  template_id text not null,
  imei text not null,
  summary text not null,
  search text not null,
  created_at text not null,
  updated_at text not null
) strict;
create index job_updated on job (updated_at desc);

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
create trigger journal_is_never_shortened before delete on journal begin select raise(abort, 'the journal is only added to'); end;

create table operation (
  sequence integer primary key autoincrement,
  id text not null unique,
  kind text not null,
  key text not null,
  state text not null,
  job_id text references job (id),
  title text not null,
  payload text not null,
  baseline text,
  reason text not null,
  evidence text not null,
  created_at text not null,
  updated_at text not null
) strict;
create index operation_state on operation (state, key);

create table operation_attempt (
  operation_id text not null references operation (id),
  number integer not null,
  request_hash text not null,
  started_at text not null,
  server_time_ms integer,
  outcome text,
  primary key (operation_id, number)
) strict, without rowid;

create table known_device (
  imei text primary key,
  model text not null,
  label text not null,
  last_vehicle text,
  last_address text,
  last_job_at text,
  last_seen_at text not null
) strict;
`
