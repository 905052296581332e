/**
 * Whose job it is, and how it goes from one laptop to another: offered and accepted, as a file, or taken over with a
 * reason.
 * Rows are locked in one order, so that nobody waits in a circle: the hand-over, its jobs by their id, the own laptop.
 */
export const holding = String.raw`
-- Who gave what to whom, and who took over what and why: rows come and are never removed.
create table fitter.handover (
  team_id uuid not null references fitter.team (id),
  id text not null check (id ~ '^[0-9A-Za-z-]{1,40}$'),
  kind text not null check (kind in ('offered', 'takenOver', 'joinedAgain')),
  from_laptop uuid not null references fitter.laptop (id),
  -- Null for whoever takes it.
  to_laptop uuid references fitter.laptop (id),
  at timestamptz not null default now(),
  reason text not null default '' check (length(reason) <= 500),
  -- What comes along, as content.
  work_sha256 text,
  -- With the last entry of each: [{"id", "seq", "hash"}].
  jobs jsonb not null,
  taken_at timestamptz,
  taken_by uuid references fitter.laptop (id),
  withdrawn_at timestamptz,
  -- In the order in which a job changed hands: the time is that at which each of them had begun.
  ordinal bigint generated always as identity,
  primary key (team_id, id)
);

create index handover_open on fitter.handover (team_id, at desc) where kind = 'offered' and taken_at is null and withdrawn_at is null;
create index handover_at on fitter.handover (team_id, at desc);
create index handover_from on fitter.handover (from_laptop, at desc);
create index handover_taken on fitter.handover (taken_by, at desc);
-- At the end: the own laptop is the last to be locked.
create constraint trigger spend_row after insert on fitter.handover deferrable initially deferred for each row execute function fitter.spend_row();

-- Offers as one laptop sees them: open to it, made by it, taken by it.
create function fitter.offers_seen(by_laptop uuid, wanted text)
returns table (id text, from_name text, to_name text, at timestamptz, jobs jsonb, work_sha256 text, state text, taken_by_name text, is_from_me boolean, is_taken_by_me boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select h.id, giver.name, coalesce(wanted_by.name, ''), h.at, h.jobs, h.work_sha256,
    case when h.withdrawn_at is not null then 'withdrawn' when h.taken_at is not null then 'taken' when h.from_laptop = me.id then 'mine' else 'open' end,
    coalesce(taker.name, ''), h.from_laptop = me.id, coalesce(h.taken_by = me.id, false)
  from fitter.laptop me join fitter.handover h on h.team_id = me.team_id
    join fitter.laptop giver on giver.id = h.from_laptop left join fitter.laptop wanted_by on wanted_by.id = h.to_laptop left join fitter.laptop taker on taker.id = h.taken_by
  where me.id = by_laptop and h.kind = 'offered' and (wanted is null or h.id = wanted)
    and (h.from_laptop = me.id or h.taken_by = me.id or (me.may_write and h.taken_at is null and h.withdrawn_at is null and (h.to_laptop is null or h.to_laptop = me.id)))
    and (wanted is not null or h.at > now() - interval '90 days' or (h.taken_at is null and h.withdrawn_at is null))
  order by h.at desc, h.id limit 500
$$;

create function fitter.offers()
returns table (id text, from_name text, to_name text, at timestamptz, jobs jsonb, work_sha256 text, state text, taken_by_name text, is_from_me boolean, is_taken_by_me boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$ select * from fitter.offers_seen(fitter.my_laptop(), null) $$;

-- Jobs whose logs say already that they left with this hand-over. They are nobody's until one takes them.
create function fitter.offer(given_id text, to_name text, given_jobs jsonb, given_work text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop := fitter.writer();
  target uuid;
  there fitter.handover;
  one record;
  count_of_jobs int;
begin
  if given_id is null or given_id !~ '^[0-9A-Za-z-]{1,40}$' or to_name is null or length(to_name) > 200 or jsonb_typeof(given_jobs) is distinct from 'array'
    or given_work is null or given_work !~ '^[0-9a-f]{64}$' or pg_column_size(given_jobs) > 100000 or jsonb_array_length(given_jobs) not between 1 and 100 then
    raise exception 'not the form of an offer' using errcode = 'FT006';
  end if;
  begin
    select count(distinct j.id) into count_of_jobs from jsonb_to_recordset(given_jobs) as j (id text, seq bigint, hash text) where j.id is not null and j.seq is not null and j.hash is not null;
  exception when data_exception then raise exception 'not the form of an offer' using errcode = 'FT006';
  end;
  if count_of_jobs <> jsonb_array_length(given_jobs) then raise exception 'not the form of an offer' using errcode = 'FT006'; end if;

  -- What was done once is done: whoever it went to may have left since.
  select * into there from fitter.handover h where h.team_id = me.team_id and h.id = given_id for update;
  if there.id is null then
    if to_name <> '' then
      select l.id into target from fitter.laptop l where l.team_id = me.team_id and l.name = to_name and l.left_at is null and l.may_write and l.id <> me.id;
      if target is null then raise exception 'no other laptop of this name' using errcode = 'FT007'; end if;
    end if;
    insert into fitter.handover (team_id, id, kind, from_laptop, to_laptop, work_sha256, jobs) values (me.team_id, given_id, 'offered', me.id, target, given_work, given_jobs) on conflict do nothing;
    if not found then
      -- The same call, at the same moment.
      select * into there from fitter.handover h where h.team_id = me.team_id and h.id = given_id for update;
    end if;
  end if;
  if there.id is not null then
    if there.from_laptop <> me.id or there.kind <> 'offered' then raise exception 'somebody else made this offer' using errcode = 'FT002'; end if;
    if there.withdrawn_at is not null then raise exception 'withdrawn' using errcode = 'FT008'; end if;
    if there.jobs <> given_jobs or there.work_sha256 <> given_work then raise exception 'another offer has this id' using errcode = 'FT006'; end if;
    return;
  end if;

  if not exists (select from fitter.content c where c.team_id = me.team_id and c.sha256 = given_work and c.whole_at is not null) then
    raise exception 'what comes along is not there yet' using errcode = 'FT004';
  end if;
  count_of_jobs := 0;
  for one in
    select j.*, asked.seq as asked_seq, asked.hash as asked_hash from fitter.job j join jsonb_to_recordset(given_jobs) as asked (id text, seq bigint, hash text) on asked.id = j.id
    where j.team_id = me.team_id order by j.id for update of j
  loop
    count_of_jobs := count_of_jobs + 1;
    if one.head_seq < one.asked_seq then raise exception 'entries are missing' using errcode = 'FT004', detail = one.head_seq::text; end if;
    if one.holder is not null or one.offered_in is not null or one.left_in is distinct from given_id or one.head_type <> 'movedAway' or one.head_seq <> one.asked_seq or one.head_hash <> one.asked_hash
      or not exists (select from fitter.entry e where e.month = one.month and e.team_id = me.team_id and e.job_id = one.id and e.seq = one.head_seq and e.pushed_by = me.id) then
      raise exception 'somebody else holds this job' using errcode = 'FT002', detail = one.id;
    end if;
  end loop;
  if count_of_jobs <> jsonb_array_length(given_jobs) then raise exception 'entries are missing' using errcode = 'FT004'; end if;
  update fitter.job j set offered_in = given_id, changed_at = now() where j.team_id = me.team_id and j.id in (select asked ->> 'id' from jsonb_array_elements(given_jobs) asked);
  perform fitter.tell(me.team_id, asked ->> 'id') from jsonb_array_elements(given_jobs) asked;
end $$;

-- The jobs of an offer that are in it still, held in the order of their ids.
create function fitter.hold_offered(of_team uuid, offer_id text, given_jobs jsonb) returns text[]
language sql set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(held.id), '{}') from (
    select j.id, j.offered_in from fitter.job j where j.team_id = of_team and j.id in (select asked ->> 'id' from jsonb_array_elements(given_jobs) asked) order by j.id for update
  ) held where held.offered_in = offer_id
$$;

create function fitter.take_offer(wanted text)
returns table (id text, from_name text, to_name text, at timestamptz, jobs jsonb, work_sha256 text, state text, taken_by_name text, is_from_me boolean, is_taken_by_me boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  me fitter.laptop := fitter.writer();
  offered fitter.handover;
  held text[];
begin
  select h.* into offered from fitter.handover h where h.team_id = me.team_id and h.id = wanted and h.kind = 'offered' for update;
  if offered.id is null then raise exception 'no such offer' using errcode = 'FT009'; end if;
  if offered.taken_by is distinct from me.id then
    if offered.withdrawn_at is not null then raise exception 'withdrawn' using errcode = 'FT008'; end if;
    if offered.taken_at is not null or offered.from_laptop = me.id or offered.to_laptop <> me.id then raise exception 'somebody else has it' using errcode = 'FT002'; end if;
    held := fitter.hold_offered(me.team_id, offered.id, offered.jobs);
    if cardinality(held) <> jsonb_array_length(offered.jobs) then raise exception 'somebody else has it' using errcode = 'FT002'; end if;
    update fitter.job j set holder = me.id, offered_in = null, changed_at = now() where j.team_id = me.team_id and j.id = any (held);
    update fitter.handover h set taken_at = now(), taken_by = me.id where h.team_id = me.team_id and h.id = offered.id;
    perform fitter.tell(me.team_id, one) from unnest(held) one;
  elsif exists (select from jsonb_array_elements(offered.jobs) asked join fitter.job j on j.team_id = me.team_id and j.id = asked ->> 'id' where j.holder is distinct from me.id) then
    -- It was taken, and has gone on to somebody else since.
    raise exception 'somebody else has it' using errcode = 'FT002';
  end if;
  return query select * from fitter.offers_seen(me.id, wanted);
end $$;

-- Also before it came: one that is under way still finds that it was withdrawn.
create function fitter.withdraw_offer(wanted text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop := fitter.writer();
  offered fitter.handover;
  job fitter.job;
  held text[];
begin
  select h.* into offered from fitter.handover h where h.team_id = me.team_id and h.id = wanted for update;
  if offered.id is null then
    if wanted is null or wanted !~ '^[0-9A-Za-z-]{1,40}$' then raise exception 'not the form of an offer' using errcode = 'FT006'; end if;
    insert into fitter.handover (team_id, id, kind, from_laptop, jobs, withdrawn_at) values (me.team_id, wanted, 'offered', me.id, '[]', now()) on conflict do nothing;
    if not found then return fitter.withdraw_offer(wanted); end if;
    for job in select j.* from fitter.job j where j.team_id = me.team_id and j.left_in = wanted order by j.id for update loop
      if job.holder is not null or job.offered_in is not null
        or not exists (select from fitter.entry e where e.month = job.month and e.team_id = me.team_id and e.job_id = job.id and e.seq = job.head_seq and e.pushed_by = me.id) then
        raise exception 'somebody else has it' using errcode = 'FT002';
      end if;
      update fitter.job j set holder = me.id, changed_at = now() where j.team_id = me.team_id and j.id = job.id;
      update fitter.handover h set jobs = h.jobs || jsonb_build_object('id', job.id, 'seq', job.head_seq, 'hash', job.head_hash) where h.team_id = me.team_id and h.id = wanted;
      perform fitter.tell(me.team_id, job.id);
    end loop;
    return true;
  end if;
  if offered.kind <> 'offered' or offered.from_laptop <> me.id or offered.taken_at is not null then raise exception 'somebody else has it' using errcode = 'FT002'; end if;
  if offered.withdrawn_at is not null then
    if jsonb_array_length(offered.jobs) > 0
      and not exists (select from jsonb_array_elements(offered.jobs) asked join fitter.job j on j.team_id = me.team_id and j.id = asked ->> 'id' where j.holder = me.id) then
      raise exception 'somebody else has it' using errcode = 'FT002';
    end if;
    return true;
  end if;
  held := fitter.hold_offered(me.team_id, offered.id, offered.jobs);
  -- All of them were taken over meanwhile.
  if cardinality(held) = 0 then raise exception 'somebody else has it' using errcode = 'FT002'; end if;
  update fitter.job j set holder = me.id, offered_in = null, changed_at = now() where j.team_id = me.team_id and j.id = any (held);
  update fitter.handover h set withdrawn_at = now() where h.team_id = me.team_id and h.id = offered.id;
  perform fitter.tell(me.team_id, one) from unnest(held) one;
  return true;
end $$;

-- Whether this is the entry with which a take-over goes on from the end of the log here.
create function fitter.is_taken_before(own fitter.job, moved text) returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select fitter.is_entry(moved) and e.said ->> 'type' = 'movedHere' and e.said ->> 'seq' = (own.head_seq + 1)::text and e.said -> 'data' ->> 'isTakenOver' = 'true' from fitter.read_entry(moved) e (said)
$$;
-- A job whose holder is lost, or whose file is; while its holder works on it, a lead alone. A laptop that had taken it over before
-- this server was set back shows the entry that says so. One that is offered goes to whom it is offered, unless that one has left.
create function fitter.take_over(wanted text, why text, moved text default null) returns table (head_seq bigint, head_hash text, from_name text, work jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  me fitter.laptop := fitter.writer();
  own fitter.job;
  from_laptop uuid;
  busy_until timestamptz;
begin
  if why is null or length(btrim(why)) not between 3 and 500 then raise exception 'a reason is needed' using errcode = 'FT006'; end if;
  select j.* into own from fitter.job j where j.team_id = me.team_id and j.id = wanted and j.head_seq > 0 for update;
  if own.id is null then raise exception 'no such job' using errcode = 'FT009'; end if;
  if own.holder is distinct from me.id then
    from_laptop := own.holder;
    if own.offered_in is not null then
      select h.from_laptop into from_laptop from fitter.handover h join fitter.laptop l on l.id = h.to_laptop where h.team_id = me.team_id and h.id = own.offered_in and l.left_at is not null;
      if from_laptop is null then raise exception 'it is offered to somebody' using errcode = 'FT002'; end if;
    elsif from_laptop is not null then
      busy_until := own.changed_at + (select t.take_over_after from fitter.team t where t.id = me.team_id);
      if busy_until > clock_timestamp() and not me.is_lead and fitter.is_taken_before(own, moved) is not true and exists (select from fitter.laptop l where l.id = from_laptop and l.left_at is null) then
        raise exception 'its holder works on it' using errcode = 'FT013', detail = json_build_object('by', (select l.name from fitter.laptop l where l.id = from_laptop),
          'agoS', greatest(0, round(extract(epoch from clock_timestamp() - own.changed_at))), 'waitS', ceil(extract(epoch from busy_until - clock_timestamp())))::text;
      end if;
    else
      select e.pushed_by into from_laptop from fitter.entry e where e.month = own.month and e.team_id = me.team_id and e.job_id = own.id and e.seq = own.head_seq;
    end if;
    insert into fitter.handover (team_id, id, kind, from_laptop, to_laptop, reason, jobs, taken_at, taken_by)
      values (me.team_id, gen_random_uuid()::text, 'takenOver', from_laptop, me.id, btrim(why), jsonb_build_array(jsonb_build_object('id', own.id, 'seq', own.head_seq, 'hash', own.head_hash)), now(), me.id);
    update fitter.job j set holder = me.id, offered_in = null, changed_at = now() where j.team_id = me.team_id and j.id = own.id;
    perform fitter.tell(me.team_id, own.id);
  end if;
  return query select own.head_seq, own.head_hash, coalesce((
      select l.name from fitter.handover h join fitter.laptop l on l.id = h.from_laptop
      where h.taken_by = me.id and h.kind = 'takenOver' and h.jobs -> 0 ->> 'id' = own.id order by h.ordinal desc limit 1
    ), ''), own.work;
end $$;

-- What was taken over from the caller, as long as it did not get it back; with the entry after which it was.
create function fitter.lost() returns table (job_id text, holder_name text, at timestamptz, reason text, head_seq bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select last.job_id, coalesce(l.name, ''), last.at, last.reason, last.seq
  from (
    select distinct on (h.jobs -> 0 ->> 'id') h.team_id, h.jobs -> 0 ->> 'id' as job_id, (h.jobs -> 0 ->> 'seq')::bigint as seq, h.at, h.reason, h.ordinal from fitter.handover h
    where h.from_laptop = any ((select fitter.my_logins())::uuid[]) and h.kind = 'takenOver' order by h.jobs -> 0 ->> 'id', h.ordinal desc
  ) last join fitter.job j on j.team_id = last.team_id and j.id = last.job_id left join fitter.laptop l on l.id = j.holder
  where j.holder is distinct from (select fitter.my_laptop())
    and not exists (select from fitter.handover back where back.taken_by = any ((select fitter.my_logins())::uuid[]) and back.ordinal > last.ordinal and back.jobs @> jsonb_build_array(jsonb_build_object('id', last.job_id)))
  order by last.at desc
$$;
`
