/**
 * Whose job it is, and how it goes from one laptop to another: offered and taken, as a file, or taken over with a reason.
 *
 * Locks are taken in one order, so that nobody waits in a circle: the hand-over, its jobs by their id, the own laptop.
 * More states of failure: FT007 no other laptop of that name, FT008 withdrawn, FT009 no such job or offer, FT010 more than a
 * laptop may give in one day, FT011 a job that the company no longer keeps.
 */
export const holding = String.raw`
-- Two of one name could not be told apart by whoever hands over to one of them.
update fitter.laptop l set name = left(l.name, 180) || ' ' || right(l.login::text, 8)
  where l.left_at is null and exists (select from fitter.laptop o where o.team_id = l.team_id and o.name = l.name and o.left_at is null and (o.invited_at, o.id) < (l.invited_at, l.id));
create unique index laptop_name on fitter.laptop (team_id, name) where left_at is null;

alter table fitter.job
  add column head_type text not null default '',
  -- The hand-over with which it left; null while it is not under way.
  add column left_in text,
  -- The gateway work of its holder, as of the last push: for whoever takes it over.
  add column work jsonb,
  add column offered_in text;
create index job_holder on fitter.job (holder);
create index job_left on fitter.job (team_id, left_in) where left_in is not null;

-- What an entry says of itself. A text may hold escapes that no text of this server can (zeros, halves of a pair): here they
-- are not read. null where it is no JSON.
create function fitter.read_entry(given text) returns json language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  return replace(given, '\u', '/u')::json;
exception when data_exception or statement_too_complex then return null;
end $$;

update fitter.job j set head_type = left(coalesce(e.said ->> 'type', ''), 60), left_in = case when e.said ->> 'type' = 'movedAway' then left(e.said -> 'data' ->> 'id', 40) end
  from (select o.month, o.team_id, o.job_id, o.seq, fitter.read_entry(o.text) as said from fitter.entry o) e
  where e.month = j.month and e.team_id = j.team_id and e.job_id = j.id and e.seq = j.head_seq;
update fitter.job set holder = null where head_type = 'movedAway';

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

-- Jobs that the company no longer keeps, as far as their laptops have to know: nothing of them is asked for or taken again.
create table fitter.dropped (
  team_id uuid not null references fitter.team (id),
  id text not null,
  head_seq bigint not null,
  head_hash text not null,
  dropped_at timestamptz not null default now(),
  primary key (team_id, id)
);

-- What one laptop may give in one day: a broken one, or one in wrong hands, fills no disk over night. The owner may set another.
alter table fitter.team add column most_bytes_a_day bigint not null default 20000000000;
alter table fitter.laptop add column given_on date, add column given_bytes bigint not null default 0;
-- Its row changes with every push, and only where no index looks.
alter table fitter.laptop set (fillfactor = 50);

create function fitter.spend(laptop uuid, given bigint) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  today date := (now() at time zone 'UTC')::date;
  spent fitter.laptop;
begin
  update fitter.laptop l set given_on = today, given_bytes = case when l.given_on = today then l.given_bytes else 0 end + given, pushed_at = now() where l.id = laptop returning * into spent;
  if spent.given_bytes > (select t.most_bytes_a_day from fitter.team t where t.id = spent.team_id) then raise exception 'enough for one day' using errcode = 'FT010'; end if;
end $$;
-- As the owner: at the end of a transaction older servers call it as whoever is there then.
create function fitter.spend_row() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform fitter.spend(l.id, pg_column_size(new) + 20000) from fitter.laptop l where l.login = session_user;
  return null;
end $$;
create trigger spend_row after insert or update on fitter.piece for each row execute function fitter.spend_row();

-- At the end: the own laptop is the last to be locked.
create constraint trigger spend_row after insert on fitter.handover deferrable initially deferred for each row execute function fitter.spend_row();

-- Anybody may fill the queue of news, and a full one would undo what tells something.
create function fitter.tell(team uuid, job text) returns void language sql set search_path = pg_catalog, pg_temp
  as $$ select pg_notify(t.channel, job) from fitter.team t where t.id = team and pg_notification_queue_usage() < 0.5 $$;

-- A new month takes no lock that a reader could keep: no advisory one, and none that waits for readers. Those of a year are made
-- before they begin, by whoever can without waiting, so that nobody who is slow about it keeps the others from pushing, also
-- where nobody pushed for months.
create or replace function fitter.keep_month(wanted date) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  this_month date := date_trunc('month', now() at time zone 'UTC')::date;
begin
  if to_regclass('fitter.entry_' || to_char(wanted, 'YYYYMM')) is null then
    lock table fitter.entry in share update exclusive mode;
    perform fitter.make_month(wanted);
  end if;
  if to_regclass('fitter.entry_' || to_char(this_month + interval '12 months', 'YYYYMM')) is null then
    begin
      lock table fitter.entry in share update exclusive mode nowait;
      perform fitter.make_month((this_month + n * interval '1 month')::date) from generate_series(0, 12) n;
    exception when lock_not_available then null;
    end;
  end if;
end $$;
create function fitter.make_month(wanted date) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare part text := 'entry_' || to_char(wanted, 'YYYYMM');
begin
  if to_regclass('fitter.' || part) is null then
    execute format('create table fitter.%I (like fitter.entry including defaults including constraints)', part);
    execute format('alter table fitter.%I enable row level security', part);
    execute format('alter table fitter.entry attach partition fitter.%I for values from (%L) to (%L)', part, wanted, (wanted + interval '1 month')::date);
  end if;
end $$;
select fitter.keep_month(date_trunc('month', now() at time zone 'UTC')::date);

-- What lists show of a job, out of what its holder sums up.
create function fitter.as_listed(summary jsonb)
returns table (kind text, state text, template text, imei text, model text, vehicle text, plate text, customer text, technician text, made_at timestamptz, shown jsonb, words text, work jsonb)
language sql stable as $$
  select left(coalesce(summary ->> 'kind', ''), 40), left(coalesce(summary ->> 'state', ''), 40), left(coalesce(summary ->> 'template', ''), 200),
    left(coalesce(summary ->> 'imei', ''), 40), left(coalesce(summary ->> 'model', ''), 200), left(coalesce(summary ->> 'vehicle', ''), 400),
    left(coalesce(summary ->> 'plate', ''), 100), left(coalesce(summary ->> 'customer', ''), 400), left(coalesce(summary ->> 'technician', ''), 400),
    least(now() + interval '1 day', fitter.time_in(summary ->> 'madeAt')), case when jsonb_typeof(summary -> 'shown') = 'object' then summary -> 'shown' end,
    left(coalesce(summary ->> 'words', ''), 4000), case when jsonb_typeof(summary -> 'work') = 'array' then summary -> 'work' end
$$;

create or replace function fitter.append(summary jsonb, texts text[], hashes text[])
returns table (seq bigint, hash text, outcome text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  me fitter.laptop := fitter.writer();
  own fitter.job;
  job_id text := summary ->> 'id';
  given int := coalesce(cardinality(texts), 0);
  first_seq bigint;
  last_seq bigint;
  before_first text;
  gone fitter.dropped;
  is_row boolean;
  fits boolean;
  fork_from bigint;
  next_one json;
  last_one json;
  last_type text;
begin
  -- An array may begin elsewhere, or have rows and columns.
  if job_id is null or job_id !~ '^[0-9A-Za-z-]{1,40}$' or given = 0 or given is distinct from cardinality(hashes)
    or array_ndims(texts) <> 1 or array_ndims(hashes) <> 1 or array_lower(texts, 1) <> 1 or array_lower(hashes, 1) <> 1 then
    raise exception 'not the form of a push' using errcode = 'FT006';
  end if;
  if array_position(texts, null) is not null then raise exception 'not the form of a push' using errcode = 'FT006'; end if;
  if given > 2000 or pg_column_size(texts) > 16000000 or pg_column_size(summary) > 1000000 then
    raise exception 'more than one call may carry' using errcode = 'FT005';
  end if;
  begin
    -- See read_entry.
    first_seq := (replace(texts[1], '\u', '/u')::json ->> 'seq')::bigint;
    if given > 1 then
      select bool_and((replace(one.text, '\u', '/u')::json ->> 'seq')::bigint is not distinct from first_seq + n - 1) into is_row from unnest(texts) with ordinality as one (text, n);
      if not is_row then raise exception 'entries are missing' using errcode = 'FT004'; end if;
    end if;
    last_one := replace(texts[given], '\u', '/u')::json;
    last_type := left(coalesce(last_one ->> 'type', ''), 60);
  -- Deeper than this server reads is no entry either.
  exception when data_exception or statement_too_complex then
    raise exception 'not the form of an entry' using errcode = 'FT006';
  end;
  if first_seq is null or first_seq not between 1 and 1000000000 then raise exception 'not the form of an entry' using errcode = 'FT006'; end if;
  last_seq := first_seq + given - 1;

  select * into own from fitter.job where team_id = me.team_id and id = job_id for update;
  if not found then
    select * into gone from fitter.dropped where team_id = me.team_id and id = job_id;
    if gone.id is not null then
      if last_seq > gone.head_seq or (last_seq = gone.head_seq and hashes[given] is distinct from gone.head_hash) then raise exception 'no longer kept' using errcode = 'FT011'; end if;
      return query select first_seq + n - 1, one.hash, 'known' from unnest(hashes) with ordinality as one (hash, n);
      return;
    end if;
    insert into fitter.job (team_id, id, holder, head_hash) values (me.team_id, job_id, me.id, encode(sha256(convert_to(job_id, 'UTF8')), 'hex')) on conflict do nothing;
    select * into own from fitter.job where team_id = me.team_id and id = job_id for update;
  end if;
  -- Before the entries are touched: it locks them all for a moment.
  perform fitter.keep_month(own.month);
  if first_seq > own.head_seq + 1 then raise exception 'entries are missing' using errcode = 'FT004', detail = own.head_seq::text; end if;
  if first_seq = own.head_seq + 1 then
    before_first := own.head_hash;
  elsif first_seq = 1 then
    before_first := encode(sha256(convert_to(job_id, 'UTF8')), 'hex');
  else
    select e.hash into before_first from fitter.entry e where e.month = own.month and e.team_id = me.team_id and e.job_id = own.id and e.seq = first_seq - 1;
  end if;
  select bool_and(one.hash is not distinct from encode(sha256(convert_to(one.before || one.text, 'UTF8')), 'hex')) into fits
    from unnest(texts, hashes, array[before_first] || hashes[:given - 1]) as one (text, hash, before);
  if not fits then raise exception 'a hash does not fit' using errcode = 'FT003'; end if;

  if first_seq <= own.head_seq then
    select min(e.seq) into fork_from
      from fitter.entry e join unnest(hashes) with ordinality as one (hash, n) on e.seq = first_seq + n - 1
      where e.month = own.month and e.team_id = me.team_id and e.job_id = own.id and e.seq >= first_seq and e.hash <> one.hash;
  end if;
  if fork_from is not null then
    if (select count(*) from fitter.fork f where f.team_id = me.team_id and f.job_id = own.id) < 10000 then
      insert into fitter.fork (team_id, job_id, seq, text, hash, pushed_by)
        select me.team_id, own.id, first_seq + n - 1, one.text, one.hash, me.id from unnest(texts, hashes) with ordinality as one (text, hash, n)
        where first_seq + n - 1 >= fork_from on conflict do nothing;
      perform fitter.spend(me.id, pg_column_size(texts));
    end if;
    perform fitter.tell(me.team_id, own.id);
    return query select first_seq + n - 1, one.hash, case when first_seq + n - 1 < fork_from then 'known' else 'fork' end from unnest(hashes) with ordinality as one (hash, n);
    return;
  end if;

  if last_seq > own.head_seq then
    -- It went as a file: whoever opened that one goes on with it.
    if own.holder is null and own.offered_in is null and own.head_type = 'movedAway' then
      next_one := fitter.read_entry(texts[own.head_seq - first_seq + 2]);
      if next_one ->> 'type' = 'movedHere' and next_one -> 'data' ->> 'id' = own.left_in then own.holder := me.id; end if;
    end if;
    if own.holder is distinct from me.id then raise exception 'somebody else holds this job' using errcode = 'FT002'; end if;
    insert into fitter.entry (team_id, month, job_id, seq, text, hash, pushed_by)
      select me.team_id, own.month, own.id, first_seq + n - 1, one.text, one.hash, me.id from unnest(texts, hashes) with ordinality as one (text, hash, n)
      where first_seq + n - 1 > own.head_seq;
  end if;
  -- Whoever holds it says how it is listed, and only with its last entry: an older push that comes again changes nothing.
  if own.holder = me.id and last_seq >= own.head_seq then
    update fitter.job j set
      -- Once it has left, nobody holds it. One that came back without a word yet (an offer withdrawn) stays where it is.
      holder = case when last_seq > own.head_seq and last_type = 'movedAway' then null else me.id end,
      left_in = case when last_type = 'movedAway' then left(last_one -> 'data' ->> 'id', 40) end,
      head_seq = last_seq, head_hash = hashes[given], head_type = last_type,
      kind = l.kind, state = l.state, template = l.template, imei = l.imei, model = l.model, vehicle = l.vehicle, plate = l.plate, customer = l.customer, technician = l.technician,
      made_at = coalesce(l.made_at, j.made_at), changed_at = now(), shown = l.shown, words = l.words, work = l.work
    from fitter.as_listed(summary) l where j.team_id = me.team_id and j.id = own.id;
  end if;
  perform fitter.spend(me.id, pg_column_size(summary) + case when last_seq > own.head_seq then pg_column_size(texts) else 0 end);
  -- Commits that tell something wait for each other: what is pushed in bulk is found by looking.
  if given <= 20 then perform fitter.tell(me.team_id, own.id); end if;
  return query select first_seq + n - 1, one.hash, case when first_seq + n - 1 <= own.head_seq then 'known' else 'added' end from unnest(hashes) with ordinality as one (hash, n);
end $$;

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

-- A job whose holder is lost, or whose file is. One that is offered goes to whom it is offered, unless that one has left.
create function fitter.take_over(wanted text, why text) returns table (head_seq bigint, head_hash text, from_name text, work jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  me fitter.laptop := fitter.writer();
  own fitter.job;
  from_laptop uuid;
begin
  if why is null or length(btrim(why)) not between 3 and 500 then raise exception 'a reason is needed' using errcode = 'FT006'; end if;
  select j.* into own from fitter.job j where j.team_id = me.team_id and j.id = wanted and j.head_seq > 0 for update;
  if own.id is null then raise exception 'no such job' using errcode = 'FT009'; end if;
  if own.holder is distinct from me.id then
    from_laptop := own.holder;
    if own.offered_in is not null then
      select h.from_laptop into from_laptop from fitter.handover h join fitter.laptop l on l.id = h.to_laptop where h.team_id = me.team_id and h.id = own.offered_in and l.left_at is not null;
      if from_laptop is null then raise exception 'it is offered to somebody' using errcode = 'FT002'; end if;
    elsif from_laptop is null then
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

-- The logins of the caller: its own, and those that its data folder had before it was invited again.
create function fitter.my_logins() returns uuid[] language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select array_agg(o.id) from fitter.laptop me join fitter.laptop o on o.team_id = me.team_id and (o.id = me.id or (o.data_folder = me.data_folder and o.left_at is not null)) where me.id = fitter.my_laptop()
$$;

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

-- A data folder that left and was invited again goes on with its own jobs.
create or replace function fitter.join_team(folder uuid) returns table (team text, laptop text, channel text, may_write boolean, is_taken boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop;
  before uuid;
begin
  select * into me from fitter.laptop l where l.login = session_user and l.left_at is null for update;
  if me.id is null then raise exception 'not a laptop of a team' using errcode = 'FT001'; end if;
  if me.data_folder is null then
    update fitter.laptop l set data_folder = folder, joined_at = now() where l.id = me.id;
    me.data_folder := folder;
    if me.may_write then
      for before in select l.id from fitter.laptop l where l.team_id = me.team_id and l.data_folder = folder and l.left_at is not null order by l.id loop
        update fitter.job j set holder = me.id where j.id in (select o.id from fitter.job o where o.holder = before order by o.id for update) and j.team_id = me.team_id;
        if found then
          insert into fitter.handover (team_id, id, kind, from_laptop, to_laptop, jobs, taken_at, taken_by) values (me.team_id, gen_random_uuid()::text, 'joinedAgain', before, me.id, '[]', now(), me.id);
        end if;
      end loop;
    end if;
  end if;
  return query select t.name, me.name, t.channel, me.may_write, me.data_folder is distinct from folder from fitter.team t where t.id = me.team_id;
end $$;

alter table fitter.handover enable row level security;
alter table fitter.dropped enable row level security;
create policy own_team on fitter.handover for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.dropped for select using (team_id = (select fitter.my_team()));
revoke all on all functions in schema fitter from public;
grant select on fitter.handover, fitter.dropped to fitter_reads;
-- To whom a job can be given. Neither the logins of colleagues nor what their folders prove themselves with.
revoke select on fitter.laptop from fitter_reads;
grant select (id, team_id, name, may_write, invited_at, joined_at, left_at, pushed_at) on fitter.laptop to fitter_reads;
grant execute on function fitter.offers(), fitter.lost() to fitter_reads;
grant execute on function fitter.offer(text, text, jsonb, text), fitter.take_offer(text), fitter.withdraw_offer(text), fitter.take_over(text, text) to fitter_writes;
`
