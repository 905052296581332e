/** Which jobs wait for the team log, kept as they change: with years of jobs nobody looks at all of them for it. */
export const teamWaiting = `
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
insert into team_waiting select * from team_waits;
create index team_waiting_newest on team_waiting (is_held, created_at desc, key desc);

create trigger job_made_waits after insert on job begin
  delete from team_waiting where job_id = new.id and not exists (select 1 from team_waits where job_id = new.id);
  insert into team_waiting select * from team_waits where job_id = new.id
    on conflict (job_id) do update set created_at = excluded.created_at, key = excluded.key, is_held = excluded.is_held;
end;
create trigger job_added_to_waits after update of last_hash, created_at on job begin
  delete from team_waiting where job_id = new.id and not exists (select 1 from team_waits where job_id = new.id);
  insert into team_waiting select * from team_waits where job_id = new.id
    on conflict (job_id) do update set created_at = excluded.created_at, key = excluded.key, is_held = excluded.is_held;
end;
create trigger job_gone_waits after delete on job begin
  delete from team_waiting where job_id = old.id and not exists (select 1 from team_waits where job_id = old.id);
  insert into team_waiting select * from team_waits where job_id = old.id
    on conflict (job_id) do update set created_at = excluded.created_at, key = excluded.key, is_held = excluded.is_held;
end;
create trigger push_begun_waits after insert on team_push begin
  delete from team_waiting where job_id = new.job_id and not exists (select 1 from team_waits where job_id = new.job_id);
  insert into team_waiting select * from team_waits where job_id = new.job_id
    on conflict (job_id) do update set created_at = excluded.created_at, key = excluded.key, is_held = excluded.is_held;
end;
create trigger push_moved_waits after update of hash, stopped, held, work_moved, work_told on team_push begin
  delete from team_waiting where job_id = new.job_id and not exists (select 1 from team_waits where job_id = new.job_id);
  insert into team_waiting select * from team_waits where job_id = new.job_id
    on conflict (job_id) do update set created_at = excluded.created_at, key = excluded.key, is_held = excluded.is_held;
end;
create trigger push_gone_waits after delete on team_push begin
  delete from team_waiting where job_id = old.job_id and not exists (select 1 from team_waits where job_id = old.job_id);
  insert into team_waiting select * from team_waits where job_id = old.job_id
    on conflict (job_id) do update set created_at = excluded.created_at, key = excluded.key, is_held = excluded.is_held;
end;
create trigger job_lost_waits after insert on team_lost begin
  delete from team_waiting where job_id = new.job_id and not exists (select 1 from team_waits where job_id = new.job_id);
  insert into team_waiting select * from team_waits where job_id = new.job_id
    on conflict (job_id) do update set created_at = excluded.created_at, key = excluded.key, is_held = excluded.is_held;
end;
create trigger job_not_lost_waits after delete on team_lost begin
  delete from team_waiting where job_id = old.job_id and not exists (select 1 from team_waits where job_id = old.job_id);
  insert into team_waiting select * from team_waits where job_id = old.job_id
    on conflict (job_id) do update set created_at = excluded.created_at, key = excluded.key, is_held = excluded.is_held;
end;
`
