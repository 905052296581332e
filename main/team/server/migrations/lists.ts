/**
 * What lists show and look for, taken from the summary of a job and kept in a narrow table of its own with all its
 * indexes; the words of a team, for a search with typing errors (search.ts); what has changed, and the counts of a
 * team.
 */
export const lists = String.raw`
-- What lists look for, and no more: a job changes with each entry, this seldom. Its server keeps it beside the job.
create table fitter.listed (
  team_id uuid not null references fitter.team (id),
  id text not null,
  made_at timestamptz not null,
  ended_at timestamptz,
  holder uuid,
  needs_help boolean not null,
  skipped int not null,
  is_first_time boolean,
  kind text not null,
  state text not null,
  imei text not null,
  vehicle_id text not null,
  plate text not null,
  customer text not null,
  technician text not null,
  -- Each between blanks. Its id and its IMEI are none of them: they are looked for by themselves.
  words text not null,
  -- See fitter.pieces.
  pieces tsvector not null,
  primary key (team_id, id)
);

-- Which words are rare has to be known: a search for one of few would else go through all jobs.
alter table fitter.listed alter column words set statistics 300;

-- Newest made first: no page moves under its reader.
create index listed_made on fitter.listed (team_id, made_at desc, id desc);

create index listed_imei on fitter.listed (team_id, imei, made_at desc, id desc) where imei <> '';
create index listed_vehicle on fitter.listed (team_id, vehicle_id, made_at desc, id desc) where vehicle_id <> '';
create index listed_plate on fitter.listed (team_id, plate, made_at desc, id desc) where plate <> '';
create index listed_customer on fitter.listed (team_id, customer, made_at desc, id desc);
create index listed_technician on fitter.listed (team_id, technician, made_at desc, id desc);
create index listed_holder on fitter.listed (holder, made_at desc, id desc);
-- What is counted stands in the index itself.
create index listed_open on fitter.listed (team_id, made_at desc, id desc) include (state, needs_help, skipped, customer, technician) where ended_at is null;

create index listed_ended on fitter.listed (team_id, ended_at) include (is_first_time, technician) where ended_at is not null;
create index listed_needs_help on fitter.listed (team_id, made_at desc, id desc) where needs_help;
create index listed_skipped on fitter.listed (team_id, made_at desc, id desc) where skipped > 0;
-- What came last and is not sorted in yet each search goes through: half a megabyte at most.
create index listed_words on fitter.listed using gin (words gin_trgm_ops) with (gin_pending_list_limit = 512);

create index listed_pieces on fitter.listed using gin (pieces) with (gin_pending_list_limit = 512);

-- Each word under which a job of the team is found, once.
create table fitter.word (
  team_id uuid not null references fitter.team (id),
  word text not null,
  primary key (team_id, word)
);

-- Names are few, numbers and plates are many: a name is looked for among names.
create index word_name on fitter.word using gin (word gin_trgm_ops) where word !~ '[0-9]';

create function fitter.sum_up() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  counts jsonb := new.shown -> 'counts';
begin
  new.vehicle_id := left(coalesce(new.shown -> 'vehicle' ->> 'id', ''), 20);
  if new.vehicle_id = '0' then new.vehicle_id := ''; end if;
  new.skipped := fitter.count_in(counts -> 'waived');
  new.failed := fitter.count_in(counts -> 'fail') + fitter.count_in(counts -> 'unreadable');
  new.needs_help := new.state in ('draft', 'running') and new.failed > 0;
  -- A clock that is years off leaves the list in order.
  new.made_at := greatest('2000-01-01'::timestamptz, least(now() + interval '1 day', new.made_at));
  if new.state in ('done', 'failed', 'cancelled') then
    new.ended_at := greatest('2000-01-01'::timestamptz, least(now(), coalesce(fitter.time_in(new.shown ->> 'endedAt'), fitter.time_in(new.shown ->> 'updatedAt'), now())));
    new.is_first_time := case new.shown ->> 'isFirstTime' when 'true' then true when 'false' then false end;
  else
    new.ended_at := null;
    new.is_first_time := null;
  end if;
  return new;
end $$;

create trigger sum_up before insert or update of shown on fitter.job for each row execute function fitter.sum_up();
-- The words of a job as they are looked for: without its id, and without an IMEI that is one.
create function fitter.words_of(id text, imei text, words text) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select replace(case when imei ~ '^[0-9]{6,16}$' then replace(words, ' ' || imei || ' ', ' ') else words end, ' ' || lower(id) || ' ', ' ')
$$;

-- Each number in it from each of its digits on, five of them at most: what is inside of a number is found by these, where three
-- digits alone, of IMEIs that are alike, would mean all of them. And the id, which is found by its beginning.
create function fitter.pieces(id text, imei text, words text) returns tsvector language sql immutable set search_path = pg_catalog, pg_temp as $$
  select array_to_tsvector(array(
    select '#' || lower(id)
    union all select substr(number, n, 5) from (select imei union all select one[1] from regexp_matches(words, '[0-9]{3,}', 'g') one) there (number), generate_series(1, length(number) - 2) n))
$$;

-- In order, so that two who bring the same words wait for each other and never both.
create function fitter.keep_words(team uuid, given text) returns void language sql set search_path = pg_catalog, pg_temp as $$
  insert into fitter.word (team_id, word) select team, one from (select distinct one from unnest(string_to_array(given, ' ')) one where length(one) between 4 and 40) known order by one
    on conflict do nothing
$$;

create function fitter.list_added() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into fitter.listed (team_id, id, made_at, ended_at, holder, needs_help, skipped, is_first_time, kind, state, imei, vehicle_id, plate, customer, technician, words, pieces)
    select a.team_id, a.id, a.made_at, a.ended_at, a.holder, a.needs_help, a.skipped, a.is_first_time, a.kind, a.state, a.imei, a.vehicle_id, a.plate, a.customer, a.technician, own.words, fitter.pieces(a.id, a.imei, own.words)
    from added a cross join lateral (select fitter.words_of(a.id, a.imei, a.words) as words) own;
  perform fitter.keep_words(team_id, string_agg(fitter.words_of(id, imei, words), '')) from added group by team_id;
  return null;
end $$;

create trigger list_added after insert on fitter.job referencing new table as added for each statement execute function fitter.list_added();
create function fitter.list_changed() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare own_words text := fitter.words_of(new.id, new.imei, new.words);
begin
  update fitter.listed l set made_at = new.made_at, ended_at = new.ended_at, holder = new.holder, needs_help = new.needs_help, skipped = new.skipped, is_first_time = new.is_first_time,
    kind = new.kind, state = new.state, imei = new.imei, vehicle_id = new.vehicle_id, plate = new.plate, customer = new.customer, technician = new.technician, words = own_words, pieces = case when (l.imei, l.words) is distinct from (new.imei, own_words) then fitter.pieces(new.id, new.imei, own_words) else l.pieces end
    where l.team_id = new.team_id and l.id = new.id;
  if new.words <> old.words then perform fitter.keep_words(new.team_id, own_words); end if;
  return null;
end $$;

create trigger list_changed after update on fitter.job for each row
  when ((new.made_at, new.ended_at, new.holder, new.needs_help, new.skipped, new.is_first_time, new.kind, new.state, new.imei, new.vehicle_id, new.plate, new.customer, new.technician, new.words)
    is distinct from (old.made_at, old.ended_at, old.holder, old.needs_help, old.skipped, old.is_first_time, old.kind, old.state, old.imei, old.vehicle_id, old.plate, old.customer, old.technician, old.words))
  execute function fitter.list_changed();

create function fitter.list_removed() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  delete from fitter.listed l using removed r where l.team_id = r.team_id and l.id = r.id;
  return null;
end $$;

create trigger list_removed after delete on fitter.job referencing old table as removed for each statement execute function fitter.list_removed();
-- After jobs were dropped: no word stays that only they had. For the owner.
create function fitter.renew_words(team uuid) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  delete from fitter.word where team_id = team;
  insert into fitter.word (team_id, word)
    select distinct team, one from fitter.listed l, unnest(string_to_array(l.words, ' ')) one where l.team_id = team and length(one) between 4 and 40
    on conflict do nothing;
end $$;

-- Jobs that changed since a moment, for whoever is told no news: null in place of them when there are more than so many.
create function fitter.changed_since(moment timestamptz) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  team uuid := fitter.my_team();
  found jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'at', changed_at)), '[]') into found from (
    select j.id, j.changed_at from fitter.job j where j.team_id = team and j.changed_in > greatest(moment, now() - interval '1 hour') - interval '10 minutes' and j.changed_at >= moment and j.changed_at > now() - interval '1 hour' order by j.changed_at desc limit 201
  ) changed;
  return jsonb_build_object('now', now(), 'jobs', case when moment is null or jsonb_array_length(found) > 200 then null else found end);
end $$;

-- How the work of the team stands: what is open, what ended since the beginning of a day, and what is prepared. Of each at most so many are
-- counted that no year of work makes it slow; the same for the month.
create function fitter.counts(wanted jsonb) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  team uuid := fitter.my_team();
  since timestamptz := greatest(now() - interval '3 days', fitter.time_in(wanted ->> 'since'));
  month_since timestamptz := greatest(now() - interval '40 days', fitter.time_in(wanted ->> 'monthSince'));
  whose text := wanted ->> 'technician';
  told jsonb;
begin
  if team is null then return null; end if;
  with seen as materialized (
    (select j.state, j.needs_help, j.skipped > 0 as is_skipped, j.customer, j.technician, false as is_ended from fitter.listed j
      where j.team_id = team and j.ended_at is null and (whose is null or j.technician = whose) order by j.made_at desc limit 20000)
    union all
    (select j.state, j.needs_help, j.skipped > 0, j.customer, j.technician, true from fitter.listed j
      where j.team_id = team and j.ended_at is not null and j.ended_at >= since and (whose is null or j.technician = whose) limit 20000)
  ), prepared as materialized (
    select a.customer, coalesce(a.due_at < now(), false) as is_late from fitter.assignment a left join fitter.laptop l on l.id = a.to_laptop
      where a.team_id = team and a.begun_at is null and a.withdrawn_at is null and (whose is null or l.name = whose) limit 20000
  ), people as (
    select technician, count(*) as jobs from seen where technician <> '' group by technician
  ), places as (
    select customer, count(*) filter (where state = 'done') as done, count(*) as jobs, count(*) filter (where is_late) as late
      from (select customer, state, false as is_late from seen union all select customer, 'assigned', is_late from prepared) work group by customer
  ), ended as (
    select count(*) filter (where j.is_first_time) as right_at_once, count(j.is_first_time) as counted from fitter.listed j
      where j.team_id = team and j.ended_at is not null and j.ended_at >= month_since and (whose is null or j.technician = whose)
  )
  select jsonb_build_object(
    'all', count(*), 'needHelp', count(*) filter (where needs_help), 'inWork', count(*) filter (where not is_ended and state <> 'installedAwaitingGateway'),
    'waiting', count(*) filter (where state = 'installedAwaitingGateway'), 'skipped', count(*) filter (where is_skipped), 'ended', count(*) filter (where is_ended),
    'assigned', (select count(*) from prepared), 'technicianCount', (select count(*) from people),
    'technicians', coalesce((select jsonb_agg(jsonb_build_object('technician', technician, 'jobs', jobs) order by jobs desc, technician) from (select * from people order by jobs desc, technician limit 200) p), '[]'),
    'customers', coalesce((select jsonb_agg(jsonb_build_object('customer', customer, 'done', done, 'of', jobs, 'late', late) order by jobs desc, customer) from (select * from places order by jobs desc, customer limit 50) p), '[]'),
    'firstTimeRight', (select right_at_once from ended), 'firstTimeOf', (select counted from ended)
  ) into told from seen;
  return told;
end $$;
`
