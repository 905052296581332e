/** The local copy of team jobs for offline work: opened and pinned ones. */
export const teamKept = `
create table team_kept_job (
  job_id text primary key,
  size_bytes integer not null,
  -- When it was as the team log had it, and when somebody looked at it last.
  kept_at text not null,
  used_at text not null,
  entries integer not null,
  -- As lists show it, and whole.
  listed text not null,
  opened text not null
) strict;
create index team_kept_job_used on team_kept_job (used_at);

create table team_kept_picture (
  sha256 text primary key,
  size_bytes integer not null,
  used_at text not null,
  media_type text not null,
  bytes blob not null
) strict;
create index team_kept_picture_used on team_kept_picture (used_at);

create table team_pin (
  kind text not null,
  value text not null,
  pinned_at text not null,
  -- When what it names was fetched last; null before the first time.
  kept_at text,
  primary key (kind, value)
) strict, without rowid;
create table team_pin_job (
  kind text not null,
  value text not null,
  job_id text not null,
  primary key (kind, value, job_id),
  foreign key (kind, value) references team_pin (kind, value) on delete cascade
) strict, without rowid;
create index team_pin_job_job on team_pin_job (job_id);
`
