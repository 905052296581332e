/**
 * Views for the company's own tools, over tables that are kept as entries arrive, so that no log is read again for a
 * report. docs/team-log.md describes their columns. They show the rows that the caller may see: its team, or for the
 * owner all.
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

-- The few entries that reports are made of, in any order: what they say of a step is added to what is known of it.
create function fitter.keep_facts_of(teams uuid[], jobs text[], seqs bigint[], texts text[]) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  with said as materialized (
    select one.team, one.job, one.seq, read.said, read.said -> 'data' as facts, left(read.said ->> 'stepId', 200) as step
    from unnest(teams, jobs, seqs, texts) as one (team, job, seq, text) cross join lateral (select fitter.read_entry(one.text) as said offset 0) read
  ), named as (
    insert into fitter.job_content (team_id, job_id, sha256)
      select distinct s.team, s.job, s.facts ->> 'sha256' from said s where s.said ->> 'type' in ('attached', 'snapshot') and s.facts ->> 'sha256' ~ '^[0-9a-f]{64}$' on conflict do nothing
  ), ended as materialized (
    select s.team, s.job, s.seq, s.step, how.state, how.state in ('fail', 'unreadable') as has_failed, least(fitter.whole_in(s.facts ->> 'attempt'), 1000000)::int as nth, s.facts ->> 'isSent' = 'true' as is_sent,
      left(coalesce(s.facts -> 'summary' ->> 'id', ''), 200) as reason, fitter.values_in(s.facts -> 'summary' -> 'values') as reason_values,
      least(now() + interval '1 day', coalesce(fitter.time_in(s.said ->> 'at'), now())) as at, fitter.whole_in(s.facts ->> 'durationMs') as duration_ms
    from said s cross join lateral (select left(s.facts ->> 'state', 20) as state) how where s.said ->> 'type' = 'stepEnded' and s.step is not null and how.state is not null
  ), failed as (
    insert into fitter.failure (team_id, job_id, seq, step, attempt, state, reason, reason_values, at)
      select e.team, e.job, e.seq, e.step, e.nth, e.state, e.reason, e.reason_values, e.at from ended e where e.has_failed on conflict do nothing
  ), counted as (
    select e.team, e.job, e.step, max(e.nth) as attempts, count(*) filter (where e.has_failed) as failed, min(e.seq) filter (where e.state <> 'waiting') as first_seq, max(e.seq) as last_seq
    from ended e group by e.team, e.job, e.step
  )
  insert into fitter.step as s (team_id, job_id, step, attempts, failed_attempts, first_state, state, is_sent, reason, reason_values, ended_at, duration_ms)
    select c.team, c.job, c.step, c.attempts, c.failed, first.state, last.state, coalesce(last.is_sent, false), last.reason, last.reason_values, last.at, last.duration_ms
    from counted c join ended last on last.team = c.team and last.job = c.job and last.seq = c.last_seq left join ended first on first.team = c.team and first.job = c.job and first.seq = c.first_seq
    on conflict on constraint step_pkey do update set attempts = greatest(s.attempts, excluded.attempts), failed_attempts = s.failed_attempts + excluded.failed_attempts, first_state = coalesce(s.first_state, excluded.first_state),
      state = excluded.state, is_sent = excluded.is_sent, reason = excluded.reason, reason_values = excluded.reason_values, ended_at = excluded.ended_at, duration_ms = excluded.duration_ms, waived_by = null, waived_because = null;

  -- Skipped, unless it was tried again after that.
  with said as materialized (
    select one.team, one.job, one.seq, read.said, left(read.said ->> 'stepId', 200) as step
    from unnest(teams, jobs, seqs, texts) as one (team, job, seq, text) cross join lateral (select fitter.read_entry(one.text) as said offset 0) read
    where exists (select from unnest(jobs, texts) as skipped (job, text) where skipped.job = one.job and skipped.text like '%"type":"waived"}')
  ), last as (
    select distinct on (s.team, s.job, s.step) s.team, s.job, s.step, s.said from said s
    where s.step is not null and (s.said ->> 'type' = 'waived' or (s.said ->> 'type' = 'stepEnded' and s.said -> 'data' ->> 'state' is not null)) order by s.team, s.job, s.step, s.seq desc
  )
  insert into fitter.step as s (team_id, job_id, step, state, waived_by, waived_because, ended_at)
    select l.team, l.job, l.step, 'waived', left(l.said -> 'data' ->> 'by', 400), left(l.said -> 'data' ->> 'reason', 2000), least(now() + interval '1 day', coalesce(fitter.time_in(l.said ->> 'at'), now()))
    from last l where l.said ->> 'type' = 'waived'
    on conflict on constraint step_pkey do update set state = excluded.state, waived_by = excluded.waived_by, waived_because = excluded.waived_because, ended_at = excluded.ended_at;
end $$;

-- Whether an entry may be one of them (stepEnded, attached, waived, snapshot), told by its last bytes: entries are written with their
-- type last, and most of them are none.
create function fitter.is_fact(given text) returns boolean language sql stable
  as $$ select substring(convert_to(given, 'UTF8') from octet_length(given) - 8) in ('epEnded"}'::bytea, 'ttached"}'::bytea, '"waived"}'::bytea, 'napshot"}'::bytea) $$;

create function fitter.keep_facts() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform fitter.keep_facts_of(f.teams, f.jobs, f.seqs, f.texts)
    from (select array_agg(a.team_id) as teams, array_agg(a.job_id) as jobs, array_agg(a.seq) as seqs, array_agg(a.text) as texts from added a where fitter.is_fact(a.text)) f where f.jobs is not null;
  return null;
end $$;

create trigger keep_facts after insert on fitter.entry referencing new table as added for each statement execute function fitter.keep_facts();
-- Both sides of a fork are kept, and so are their pictures.
create function fitter.keep_forked_facts() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform fitter.keep_facts_of(array[new.team_id], array[new.job_id], array[new.seq], array[new.text]);
  return null;
end $$;

create trigger keep_facts after insert on fitter.fork for each row
  when (new.text like '%"type":"attached"}' or new.text like '%"type":"snapshot"}') execute function fitter.keep_forked_facts();

create view fitter.jobs with (security_invoker = true) as
  select t.name as team, j.id as job, l.kind, l.state, j.template, l.imei, j.model, j.vehicle, l.plate, l.customer, l.technician,
    coalesce(h.name, '') as holder, l.made_at, j.changed_at, l.ended_at, l.is_first_time as passed_first_time, l.needs_help,
    fitter.count_in(j.shown -> 'stepsDone') as steps_done, fitter.count_in(j.shown -> 'stepsTotal') as steps_total, l.skipped as steps_skipped, j.failed as steps_failed,
    j.head_seq as entries, j.is_held_by_law as held_by_law, l.team_id
  from fitter.listed l join fitter.job j on j.team_id = l.team_id and j.id = l.id join fitter.team t on t.id = l.team_id left join fitter.laptop h on h.id = l.holder;

create view fitter.steps with (security_invoker = true) as
  select t.name as team, s.job_id as job, s.step, s.state, s.is_sent as only_sent, s.attempts, s.failed_attempts, s.first_state, s.reason, s.reason_values, s.waived_by, s.waived_because, s.ended_at, s.duration_ms,
    j.kind, j.template, j.imei, j.model, j.vehicle, j.plate, j.customer, j.technician, j.made_at, s.team_id
  from fitter.step s join fitter.job j on j.team_id = s.team_id and j.id = s.job_id join fitter.team t on t.id = s.team_id;

-- Of the jobs that ended on a day and of which it is known: how many had every step right at once.
create view fitter.first_time_pass with (security_invoker = true) as
  select t.name as team, (l.ended_at at time zone 'UTC')::date as day, l.technician, j.template, j.model, l.customer,
    count(*) as jobs, count(*) filter (where l.is_first_time) as passed_first_time, round(100.0 * count(*) filter (where l.is_first_time) / count(*), 1) as percent, l.team_id
  from fitter.listed l join fitter.job j on j.team_id = l.team_id and j.id = l.id join fitter.team t on t.id = l.team_id
  where l.ended_at is not null and l.is_first_time is not null
  group by t.name, (l.ended_at at time zone 'UTC')::date, l.technician, j.template, j.model, l.customer, l.team_id;

create view fitter.failures with (security_invoker = true) as
  select t.name as team, f.job_id as job, f.seq as entry, f.at, f.step, f.attempt, f.state, f.reason, f.reason_values,
    j.kind, j.template, j.imei, j.model, j.vehicle, j.plate, j.customer, j.technician, f.team_id
  from fitter.failure f join fitter.job j on j.team_id = f.team_id and j.id = f.job_id join fitter.team t on t.id = f.team_id;
`
