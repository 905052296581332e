/** Jobs handed over through the team log, and those that someone else took over. */
export const teamHolding = `
-- What was handed over through the team log, and how far that is. The content is in handover.
create table team_offer (
  id text primary key,
  at text not null,
  to_name text not null,
  -- leaving, open, taken, withdrawing, withdrawn
  state text not null,
  -- Since then the server may know of it, whether it answered or not.
  tried_at text,
  taken_by text not null default '',
  -- What kept it last, as a message.
  why text
) strict, without rowid;

-- A take-over that was begun, so that it ends also when its answer is lost.
create table team_taking (
  job_id text primary key,
  reason text not null,
  at text not null
) strict, without rowid;

-- Taken over from here: only to be read.
create table team_lost (
  job_id text primary key references job (id),
  by_name text not null,
  at text not null,
  reason text not null
) strict, without rowid;

-- It waits for what another laptop has to push first, as a message; tried again each time.
alter table team_push add column held text;
-- Counts what moved of the gateway work of a job, and how far of that was told; which operations were told.
alter table team_push add column work_moved integer not null default 0;
alter table team_push add column work_told integer not null default 0;
alter table team_push add column told_operations text;
update team_push set work_moved = 1 where job_id in (select job_id from operation where state not in ('done', 'cancelled', 'expired', 'superseded', 'moved'));
create trigger operation_added_for_team after insert on operation when new.job_id is not null begin
  update team_push set work_moved = work_moved + 1 where job_id = new.job_id;
end;
create trigger operation_moved_for_team after update on operation when new.job_id is not null begin
  update team_push set work_moved = work_moved + 1 where job_id = new.job_id;
end;
`
