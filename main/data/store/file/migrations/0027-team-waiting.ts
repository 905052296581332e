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

/** The jobs that wait for the team log, updated as they change, so that nobody has to search years of jobs. */
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

${moves.map(sayTrigger).join('\n')}
`
