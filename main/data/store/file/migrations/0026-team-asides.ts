/**
 * Diverging logs that were set aside here, each complete. An entry leaves the log of its job only from the first
 * difference on, and only while the same entry is in the set-aside log: nothing is lost or rewritten.
 */
export const teamAsides = `
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

drop trigger journal_is_never_shortened;
create trigger journal_is_never_shortened before delete on journal
when not exists (
  select 1 from team_aside_entry kept join team_aside aside on aside.job_id = kept.job_id and aside.number = kept.number
  where kept.job_id = old.job_id and kept.seq = old.seq and kept.seq >= aside.seq
    and kept.at = old.at and kept.type = old.type and kept.step_id is old.step_id and kept.data = old.data and kept.hash = old.hash
)
begin select raise(abort, 'the journal is only added to'); end;
`
