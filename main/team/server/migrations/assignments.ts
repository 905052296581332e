/**
 * Jobs that are prepared for a laptop, or for whoever starts them. They are data: whoever reads one checks it, and a
 * person starts it.
 * A prepared job and the job that is started from it have ids of their own, so that two people who start one without
 * the server have two jobs, each with its log.
 */
export const assignments = String.raw`
create table fitter.assignment (
  team_id uuid not null references fitter.team (id),
  id text not null check (id ~ '^[0-9A-Za-z-]{1,40}$'),
  made_by uuid not null references fitter.laptop (id),
  made_at timestamptz not null default now(),
  -- Null: whoever begins it.
  to_laptop uuid references fitter.laptop (id),
  due_at timestamptz,
  vehicle text not null,
  customer text not null,
  imei text not null,
  -- All of it, as its maker wrote it.
  what jsonb not null,
  begun_at timestamptz,
  begun_by uuid references fitter.laptop (id),
  begun_job text,
  withdrawn_at timestamptz,
  withdrawn_by uuid references fitter.laptop (id),
  primary key (team_id, id)
);

-- Soonest first; what has no date comes last.
create index assignment_open on fitter.assignment (team_id, (coalesce(due_at, 'infinity')), id) where begun_at is null and withdrawn_at is null;

create constraint trigger spend_row after insert on fitter.assignment deferrable initially deferred for each row execute function fitter.spend_row();

-- Prepares a job; again by the same laptop, it changes nothing.
create function fitter.assign(wanted jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop := fitter.writer();
  receiver fitter.laptop;
begin
  if jsonb_typeof(wanted) is distinct from 'object' or jsonb_typeof(wanted -> 'what') is distinct from 'object' or wanted ->> 'id' is null or wanted ->> 'id' !~ '^[0-9A-Za-z-]{1,40}$' then
    raise exception 'not the form of a prepared job' using errcode = 'FT006';
  end if;
  if octet_length(wanted::text) > 200000 or (select count(*) from (select from fitter.assignment a where a.team_id = me.team_id and a.begun_at is null and a.withdrawn_at is null limit 20000) open) >= 20000 then
    raise exception 'more than one call may carry' using errcode = 'FT005';
  end if;
  if coalesce(wanted ->> 'to', '') <> '' then
    select * into receiver from fitter.laptop l where l.team_id = me.team_id and l.name = wanted ->> 'to' and l.may_write and l.left_at is null limit 1;
    if receiver.id is null then raise exception 'no such laptop' using errcode = 'FT007'; end if;
  end if;
  insert into fitter.assignment (team_id, id, made_by, to_laptop, due_at, vehicle, customer, imei, what)
    values (me.team_id, wanted ->> 'id', me.id, receiver.id, fitter.time_in(wanted ->> 'dueAt'),
      left(coalesce(wanted -> 'what' ->> 'vehicle', ''), 400), left(coalesce(wanted -> 'what' ->> 'customer', ''), 400), left(coalesce(wanted -> 'what' ->> 'imei', ''), 40), wanted -> 'what')
    on conflict do nothing;
  if not found and not exists (select from fitter.assignment a where a.team_id = me.team_id and a.id = wanted ->> 'id' and a.made_by = me.id) then
    raise exception 'somebody else has prepared this one' using errcode = 'FT002';
  end if;
  perform fitter.tell(me.team_id, 'assigned');
end $$;

-- Those that nobody has begun, soonest first, after the one that is named: of the team, or with mine those for the caller and for
-- whoever begins them. With ids: these, whatever became of them.
create function fitter.assignments(wanted jsonb, most int)
returns table (id text, made_by text, made_at timestamptz, to_name text, due_at timestamptz, what jsonb,
  begun_at timestamptz, begun_by text, begun_job text, withdrawn_at timestamptz, withdrawn_by text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  me uuid := fitter.my_laptop();
  team uuid := fitter.my_team();
  is_mine boolean := coalesce(wanted ->> 'whose' = 'mine', false);
  known text[] := (select array_agg(one) from (select left(one, 40) as one from jsonb_array_elements_text(case when jsonb_typeof(wanted -> 'ids') = 'array' then wanted -> 'ids' else '[]' end) one limit 1000) given);
  after_at timestamptz := 'infinity';
  after_id text := wanted ->> 'after';
begin
  if team is null then return; end if;
  if most is null or most < 1 or most > 1000 or jsonb_typeof(wanted) is distinct from 'object' then raise exception 'not the form of a question' using errcode = 'FT006'; end if;
  if known is not null then
    return query
      select a.id, m.name::text, a.made_at, coalesce(r.name::text, ''), a.due_at, a.what, a.begun_at, b.name::text, a.begun_job, a.withdrawn_at, w.name::text
    from fitter.assignment a
      join fitter.laptop m on m.id = a.made_by
      left join fitter.laptop r on r.id = a.to_laptop
      left join fitter.laptop b on b.id = a.begun_by
      left join fitter.laptop w on w.id = a.withdrawn_by
    where a.team_id = team and a.id = any (known) order by a.id limit most;
    return;
  end if;
  if after_id is not null then select coalesce(a.due_at, 'infinity') into after_at from fitter.assignment a where a.team_id = team and a.id = after_id; end if;
  return query
    select a.id, m.name::text, a.made_at, coalesce(r.name::text, ''), a.due_at, a.what, a.begun_at, b.name::text, a.begun_job, a.withdrawn_at, w.name::text
    from fitter.assignment a
      join fitter.laptop m on m.id = a.made_by
      left join fitter.laptop r on r.id = a.to_laptop
      left join fitter.laptop b on b.id = a.begun_by
      left join fitter.laptop w on w.id = a.withdrawn_by
    where a.team_id = team and a.begun_at is null and a.withdrawn_at is null and (not is_mine or a.to_laptop is null or a.to_laptop = me)
      and (after_id is null or (coalesce(a.due_at, 'infinity'), a.id) > (after_at, after_id))
    order by coalesce(a.due_at, 'infinity'), a.id limit most;
end $$;

-- A job was begun from it, maybe long ago and without the server. It belongs to the first who says so; the others are told.
create function fitter.begin_assignment(wanted text, job_id text) returns table (outcome text, by_name text, at timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop := fitter.writer();
  one fitter.assignment;
begin
  if job_id is null or job_id !~ '^[0-9A-Za-z-]{1,40}$' then raise exception 'not the form of a job' using errcode = 'FT006'; end if;
  select * into one from fitter.assignment a where a.team_id = me.team_id and a.id = wanted for update;
  if one.id is null then
    return query select 'none', '', now();
  elsif one.begun_at is not null then
    return query select case when one.begun_by = me.id and one.begun_job = job_id then 'begun' else 'begunBefore' end, (select l.name::text from fitter.laptop l where l.id = one.begun_by), one.begun_at;
  elsif one.to_laptop is not null and one.to_laptop <> me.id then
    return query select 'forOther', (select l.name::text from fitter.laptop l where l.id = one.to_laptop), one.made_at;
  else
    update fitter.assignment a set begun_at = now(), begun_by = me.id, begun_job = job_id where a.team_id = me.team_id and a.id = wanted;
    perform fitter.tell(me.team_id, 'assigned');
    return query select case when one.withdrawn_at is null then 'begun' else 'withdrawn' end, (select l.name::text from fitter.laptop l where l.id = coalesce(one.withdrawn_by, me.id)), coalesce(one.withdrawn_at, now());
  end if;
end $$;

-- Takes it back, whoever of the team has prepared it. What was begun stays.
create function fitter.withdraw_assignment(wanted text) returns table (outcome text, by_name text) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop := fitter.writer();
  one fitter.assignment;
begin
  select * into one from fitter.assignment a where a.team_id = me.team_id and a.id = wanted for update;
  if one.id is null then
    return query select 'none', '';
  elsif one.begun_at is not null then
    return query select 'begun', (select l.name::text from fitter.laptop l where l.id = one.begun_by);
  else
    update fitter.assignment a set withdrawn_at = coalesce(a.withdrawn_at, now()), withdrawn_by = coalesce(a.withdrawn_by, me.id) where a.team_id = me.team_id and a.id = wanted;
    perform fitter.tell(me.team_id, 'assigned');
    return query select 'withdrawn', (select l.name::text from fitter.laptop l where l.id = coalesce(one.withdrawn_by, me.id));
  end if;
end $$;
`
