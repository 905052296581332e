/**
 * What a company's own tools look at: views over what is kept beside the entries as they come, so that no log is read anew for
 * a report. docs/team-log.md tells their columns. Their rows are those that the caller may see: its team, or for the owner all.
 */
export const views = String.raw`
create table fitter.step (
  team_id uuid not null references fitter.team (id),
  job_id text not null,
  step text not null,
  attempts int not null default 0,
  failed_attempts int not null default 0,
  -- How it ended first, and how it stands.
  first_state text,
  state text not null default '',
  is_sent boolean not null default false,
  reason text not null default '',
  reason_values jsonb,
  waived_by text,
  waived_because text,
  ended_at timestamptz,
  duration_ms bigint,
  primary key (team_id, job_id, step)
);
create table fitter.failure (
  team_id uuid not null references fitter.team (id),
  job_id text not null,
  seq bigint not null,
  step text not null,
  attempt int not null,
  state text not null,
  reason text not null,
  reason_values jsonb,
  at timestamptz not null,
  primary key (team_id, job_id, seq)
);
create index failure_at on fitter.failure (team_id, at desc);
-- Which contents a job names in its log.
create table fitter.job_content (
  team_id uuid not null references fitter.team (id),
  job_id text not null,
  sha256 text not null,
  primary key (team_id, job_id, sha256)
);
create index job_content_named on fitter.job_content (team_id, sha256);

create function fitter.whole_in(given text) returns bigint language sql immutable set search_path = pg_catalog, pg_temp
  as $$ select case when given ~ '^[0-9]{1,12}$' then given::bigint else 0 end $$;
create function fitter.values_in(given json) returns jsonb language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  if length(given::text) > 2000 then return null; end if;
  return given::jsonb;
exception when data_exception then return null;
end $$;

-- The few entries that reports are made of, each told by its end: entries are written with their type last.
create function fitter.keep_fact(team uuid, job text, entry_seq bigint, given text) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  said json := fitter.read_entry(given);
  facts json := said -> 'data';
  step_id text := left(said ->> 'stepId', 200);
  at timestamptz := least(now() + interval '1 day', coalesce(fitter.time_in(said ->> 'at'), now()));
  how text := left(facts ->> 'state', 20);
  has_failed boolean := how in ('fail', 'unreadable');
  nth int := least(fitter.whole_in(facts ->> 'attempt'), 1000000);
begin
  if said ->> 'type' in ('attached', 'snapshot') then
    if facts ->> 'sha256' ~ '^[0-9a-f]{64}$' then insert into fitter.job_content (team_id, job_id, sha256) values (team, job, facts ->> 'sha256') on conflict do nothing; end if;
  elsif step_id is null then
    return;
  elsif said ->> 'type' = 'waived' then
    insert into fitter.step as s (team_id, job_id, step, state, waived_by, waived_because, ended_at) values (team, job, step_id, 'waived', left(facts ->> 'by', 400), left(facts ->> 'reason', 2000), at)
      on conflict on constraint step_pkey do update set state = excluded.state, waived_by = excluded.waived_by, waived_because = excluded.waived_because, ended_at = excluded.ended_at;
  elsif said ->> 'type' = 'stepEnded' and how is not null then
    insert into fitter.step as s (team_id, job_id, step, attempts, failed_attempts, first_state, state, is_sent, reason, reason_values, ended_at, duration_ms)
      values (team, job, step_id, nth, has_failed::int, nullif(how, 'waiting'), how, coalesce(facts ->> 'isSent' = 'true', false), left(coalesce(facts -> 'summary' ->> 'id', ''), 200), fitter.values_in(facts -> 'summary' -> 'values'), at, fitter.whole_in(facts ->> 'durationMs'))
      on conflict on constraint step_pkey do update set attempts = greatest(s.attempts, excluded.attempts), failed_attempts = s.failed_attempts + excluded.failed_attempts, first_state = coalesce(s.first_state, excluded.first_state),
        state = excluded.state, is_sent = excluded.is_sent, reason = excluded.reason, reason_values = excluded.reason_values, ended_at = excluded.ended_at, duration_ms = excluded.duration_ms, waived_by = null, waived_because = null;
    if has_failed then
      insert into fitter.failure (team_id, job_id, seq, step, attempt, state, reason, reason_values, at)
        values (team, job, entry_seq, step_id, nth, how, left(coalesce(facts -> 'summary' ->> 'id', ''), 200), fitter.values_in(facts -> 'summary' -> 'values'), at) on conflict do nothing;
    end if;
  end if;
end $$;
create function fitter.keep_facts() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform fitter.keep_fact(new.team_id, new.job_id, new.seq, new.text);
  return null;
end $$;
create trigger keep_facts after insert on fitter.entry for each row
  when (new.text like '%"type":"stepEnded"}' or new.text like '%"type":"attached"}' or new.text like '%"type":"waived"}' or new.text like '%"type":"snapshot"}') execute function fitter.keep_facts();
-- Both sides of a fork are kept, and so are their pictures.
create trigger keep_facts after insert on fitter.fork for each row
  when (new.text like '%"type":"attached"}' or new.text like '%"type":"snapshot"}') execute function fitter.keep_facts();

-- What was pushed before.
do $$
declare one record;
begin
  for one in select e.team_id, e.job_id, e.seq, e.text from fitter.entry e
    where e.text like '%"type":"stepEnded"}' or e.text like '%"type":"attached"}' or e.text like '%"type":"waived"}' or e.text like '%"type":"snapshot"}' order by e.team_id, e.job_id, e.seq
  loop
    perform fitter.keep_fact(one.team_id, one.job_id, one.seq, one.text);
  end loop;
  perform fitter.keep_fact(f.team_id, f.job_id, f.seq, f.text) from fitter.fork f where f.text like '%"type":"attached"}' or f.text like '%"type":"snapshot"}';
end $$;

create view fitter.jobs with (security_invoker = true) as
  select t.name as team, j.id as job, j.kind, j.state, j.template, j.imei, j.model, j.vehicle, j.plate, j.customer, j.technician,
    coalesce(l.name, '') as holder, j.made_at, j.changed_at, j.ended_at, j.is_first_time as passed_first_time, j.needs_help,
    fitter.count_in(j.shown -> 'stepsDone') as steps_done, fitter.count_in(j.shown -> 'stepsTotal') as steps_total, j.skipped as steps_skipped, j.failed as steps_failed,
    j.head_seq as entries, j.is_held_by_law as held_by_law, j.team_id
  from fitter.job j join fitter.team t on t.id = j.team_id left join fitter.laptop l on l.id = j.holder;

create view fitter.steps with (security_invoker = true) as
  select t.name as team, s.job_id as job, s.step, s.state, s.is_sent as only_sent, s.attempts, s.failed_attempts, s.first_state, s.reason, s.reason_values, s.waived_by, s.waived_because, s.ended_at, s.duration_ms,
    j.kind, j.template, j.imei, j.model, j.vehicle, j.plate, j.customer, j.technician, j.made_at, s.team_id
  from fitter.step s join fitter.job j on j.team_id = s.team_id and j.id = s.job_id join fitter.team t on t.id = s.team_id;

-- Of the jobs that ended on a day and of which it is known: how many had every step right at once.
create view fitter.first_time_pass with (security_invoker = true) as
  select t.name as team, (j.ended_at at time zone 'UTC')::date as day, j.technician, j.template, j.model, j.customer,
    count(*) as jobs, count(*) filter (where j.is_first_time) as passed_first_time, round(100.0 * count(*) filter (where j.is_first_time) / count(*), 1) as percent, j.team_id
  from fitter.job j join fitter.team t on t.id = j.team_id
  where j.ended_at is not null and j.is_first_time is not null
  group by t.name, (j.ended_at at time zone 'UTC')::date, j.technician, j.template, j.model, j.customer, j.team_id;

create view fitter.failures with (security_invoker = true) as
  select t.name as team, f.job_id as job, f.seq as entry, f.at, f.step, f.attempt, f.state, f.reason, f.reason_values,
    j.kind, j.template, j.imei, j.model, j.vehicle, j.plate, j.customer, j.technician, f.team_id
  from fitter.failure f join fitter.job j on j.team_id = f.team_id and j.id = f.job_id join fitter.team t on t.id = f.team_id;

alter table fitter.step enable row level security;
alter table fitter.failure enable row level security;
alter table fitter.job_content enable row level security;
create policy own_team on fitter.step for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.failure for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.job_content for select using (team_id = (select fitter.my_team()));
revoke all on all functions in schema fitter from public;
-- A view asks with the rights of whoever looks.
grant execute on function fitter.count_in(jsonb) to fitter_reads;
grant select on fitter.step, fitter.failure, fitter.job_content, fitter.jobs, fitter.steps, fitter.first_time_pass, fitter.failures to fitter_reads;
`
