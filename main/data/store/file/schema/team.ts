/** The tables whose changes can make a job wait for a push, or end the wait, and the column with its id. */
const moves = [
  { name: 'job_made_waits', event: 'insert on job', job: 'new.id' },
  { name: 'job_added_to_waits', event: 'update of last_hash, created_at on job', job: 'new.id' },
  { name: 'job_gone_waits', event: 'delete on job', job: 'old.id' },
  { name: 'push_begun_waits', event: 'insert on team_push', job: 'new.job_id' },
  {
    name: 'push_moved_waits',
    event: 'update of hash, stopped, held, work_moved, work_told on team_push',
    job: 'new.job_id'
  },
  { name: 'push_gone_waits', event: 'delete on team_push', job: 'old.job_id' },
  { name: 'job_lost_waits', event: 'insert on team_lost', job: 'new.job_id' },
  { name: 'job_not_lost_waits', event: 'delete on team_lost', job: 'old.job_id' }
]

function sayTrigger({ name, event, job }: (typeof moves)[number]): string {
  return `create trigger ${name} after ${event} begin
  delete from team_waiting where job_id = ${job} and not exists (select 1 from team_waits where job_id = ${job});
  insert into team_waiting select * from team_waits where job_id = ${job}
    on conflict (job_id) do update set created_at = excluded.created_at, key = excluded.key, is_held = excluded.is_held;
end;`
}

const push = `
-- The acknowledged end of each job's log in the team log. No row: nothing was acknowledged.
create table team_push (
  job_id text primary key references job (id),
  seq integer not null,
  hash text not null,
  -- Why it goes no further by itself, as a message; null while it does.
  stopped text,
  -- The order of the acknowledgements: a restored server lacks the last ones.
  ordinal integer not null default 0,
  -- It waits for what another laptop has to push first, as a message; tried again each time.
  held text,
  -- Counts what moved of the gateway work of a job, and how far of that was told; which operations were told.
  work_moved integer not null default 0,
  work_told integer not null default 0,
  told_operations text
) strict, without rowid;
create index team_push_ordinal on team_push (ordinal);
create trigger team_push_acknowledged after insert on team_push begin
  update team_push set ordinal = (select max(ordinal) + 1 from team_push) where job_id = new.job_id;
end;
create trigger team_push_acknowledged_again after update of hash on team_push begin
  update team_push set ordinal = (select max(ordinal) + 1 from team_push) where job_id = new.job_id;
end;
create trigger operation_added_for_team after insert on operation when new.job_id is not null begin
  update team_push set work_moved = work_moved + 1 where job_id = new.job_id;
end;
create trigger operation_moved_for_team after update on operation when new.job_id is not null begin
  update team_push set work_moved = work_moved + 1 where job_id = new.job_id;
end;
`

/** Prepared jobs of the team log, stored so that one can be started without the server. */
const assigned = `
create table team_assigned (
  id text primary key,
  -- As the team log had it.
  content text not null,
  -- The job that was begun from it here.
  job_id text,
  begun_at text,
  -- When the team log was told; null while it was not.
  told_at text,
  -- What a person has to know of it, as a message.
  told text,
  check ((job_id is null) = (begun_at is null))
) strict, without rowid;
`

/** The team log's last answer about earlier jobs of a device or a vehicle, for offline work. */
const earlier = `
create table team_earlier (
  of text primary key,
  content text not null,
  kept_at text not null
) strict, without rowid;
create index team_earlier_age on team_earlier (kept_at);
`

/** The local copy of team jobs for offline work: opened and pinned ones. */
const copies = `
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

/** Jobs handed over through the team log, and those that someone else took over. */
const holding = `
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
  at text not null,
  -- What prevents it from ending. Each one is retried alone and does not block the others.
  why text
) strict, without rowid;

-- Taken over from here: only to be read.
create table team_lost (
  job_id text primary key references job (id),
  by_name text not null,
  at text not null,
  reason text not null
) strict, without rowid;
`

/**
 * Diverging logs that were set aside here, each complete. An entry leaves the log of its job only from the first
 * difference on, and only while the same entry is in the set-aside log: nothing is lost or rewritten.
 */
const asides = `
create table team_aside (
  job_id text not null references job (id),
  number integer not null,
  -- Where it parts from the log of the team.
  seq integer not null,
  last_hash text not null,
  at text not null,
  reason text not null,
  -- Who had the job then; empty for nobody.
  holder text not null,
  primary key (job_id, number)
) strict, without rowid;
create table team_aside_entry (
  job_id text not null,
  number integer not null,
  seq integer not null,
  at text not null,
  type text not null,
  step_id text,
  data text not null,
  hash text not null,
  primary key (job_id, number, seq),
  foreign key (job_id, number) references team_aside (job_id, number)
) strict, without rowid;
create trigger team_aside_is_never_changed before update on team_aside begin select raise(abort, 'what was set aside is kept'); end;
create trigger team_aside_is_never_shortened before delete on team_aside begin select raise(abort, 'what was set aside is kept'); end;
create trigger team_aside_entry_is_never_changed before update on team_aside_entry begin select raise(abort, 'what was set aside is kept'); end;
create trigger team_aside_entry_is_never_shortened before delete on team_aside_entry begin select raise(abort, 'what was set aside is kept'); end;
create trigger team_aside_is_never_replaced before insert on team_aside
when exists (select 1 from team_aside where job_id = new.job_id and number = new.number)
begin select raise(abort, 'what was set aside is kept'); end;
create trigger team_aside_entry_is_never_replaced before insert on team_aside_entry
when exists (select 1 from team_aside_entry where job_id = new.job_id and number = new.number and seq = new.seq)
begin select raise(abort, 'what was set aside is kept'); end;
`

/** The jobs that wait for the team log, updated as they change, so that nobody has to search years of jobs. */
const waiting = `
create view team_waits as
select job.id as job_id, job.created_at, job.key, team_push.held is not null as is_held
from job left join team_push on team_push.job_id = job.id
where job.last_hash <> ''
  and (team_push.job_id is null
    or (team_push.stopped is null
      and (team_push.hash <> job.last_hash
        or (team_push.work_moved <> team_push.work_told and not exists (select 1 from team_lost where team_lost.job_id = job.id)))));

create table team_waiting (
  job_id text primary key,
  created_at text not null,
  key integer not null,
  -- 1: for what another laptop has to push first.
  is_held integer not null
) strict, without rowid;
create index team_waiting_newest on team_waiting (is_held, created_at desc, key desc);

${moves.map(sayTrigger).join('\n')}
`

export const team = `${push}${assigned}${earlier}${copies}${holding}${asides}${waiting}`
