/**
 * What lists look for, taken out of what the holder of a job sums up, and the words of a team for a search with typing errors.
 * How a search stays quick: what is frequent fills a page from the newest jobs, what is rare is found by the index of words, and
 * the server knows which it is. Typing errors are looked for among the distinct words alone, never in every job.
 */
export const lists = String.raw`
select set_config('search_path', 'pg_catalog, ' || (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm'), true);

alter table fitter.job
  -- Of the gateway; empty where none is known.
  add column vehicle_id text not null default '',
  add column needs_help boolean not null default false,
  -- Steps that were skipped, and that failed or could not be read.
  add column skipped int not null default 0,
  add column failed int not null default 0,
  -- Null while it is open.
  add column ended_at timestamptz,
  -- Every step was right at once; null while it is open or nobody has counted.
  add column is_first_time boolean;
-- Rows change often and only where no index looks.
alter table fitter.job set (fillfactor = 80);
-- Which words are rare has to be known: a search for one of few would else go through all jobs.
alter table fitter.job alter column words set statistics 300;

create index job_imei on fitter.job (team_id, imei, made_at desc, id desc) where imei <> '';
create index job_vehicle on fitter.job (team_id, vehicle_id, made_at desc, id desc) where vehicle_id <> '';
create index job_plate on fitter.job (team_id, plate, made_at desc, id desc) where plate <> '';
create index job_customer on fitter.job (team_id, customer, made_at desc, id desc);
create index job_technician on fitter.job (team_id, technician, made_at desc, id desc);
drop index fitter.job_holder;
create index job_holder on fitter.job (holder, made_at desc, id desc);
-- What is counted stands in the index itself.
create index job_open on fitter.job (team_id, made_at desc, id desc) include (state, needs_help, skipped, customer, technician) where ended_at is null;
create index job_ended on fitter.job (team_id, ended_at) include (is_first_time, technician) where ended_at is not null;
create index job_needs_help on fitter.job (team_id, made_at desc, id desc) where needs_help;
create index job_skipped on fitter.job (team_id, made_at desc, id desc) where skipped > 0;
create index job_changed on fitter.job (team_id, changed_at);

-- Each word under which a job of the team is found, once.
create table fitter.word (
  team_id uuid not null references fitter.team (id),
  word text not null,
  primary key (team_id, word)
);
-- Names are few; numbers, plates and IMEIs are many: a name is looked for among names.
create index word_name on fitter.word using gin (word gin_trgm_ops) where word !~ '[0-9]';
create index word_number on fitter.word using gin (word gin_trgm_ops) where word ~ '[0-9]';
alter table fitter.word enable row level security;

create function fitter.count_in(given jsonb) returns int language sql immutable set search_path = pg_catalog, pg_temp
  as $$ select case when jsonb_typeof(given) = 'number' then least(greatest(given::numeric, 0), 1000)::int else 0 end $$;

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

create function fitter.keep_new_words() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- In order, so that two who bring the same words wait for each other and never both.
  insert into fitter.word (team_id, word)
    select new.team_id, one from (
      select distinct one from unnest(string_to_array(new.words, ' ')) one
      where length(one) between 4 and 40 and one <> lower(replace(new.id, '-', '')) limit 100
    ) given order by one
    on conflict do nothing;
  return null;
end $$;
create trigger keep_new_words after update of words on fitter.job for each row when (new.words <> old.words) execute function fitter.keep_new_words();
-- The same once for all jobs that come in one statement.
create function fitter.keep_words() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into fitter.word (team_id, word)
    select distinct a.team_id, own.word from added a cross join lateral (
      select distinct one as word from unnest(string_to_array(a.words, ' ')) one
      where length(one) between 4 and 40 and one <> lower(replace(a.id, '-', '')) limit 100
    ) own order by a.team_id, own.word
    on conflict do nothing;
  return null;
end $$;
create trigger keep_words after insert on fitter.job referencing new table as added for each statement execute function fitter.keep_words();

-- After jobs were dropped: no word stays that only they had. For the owner.
create function fitter.renew_words(team uuid) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  delete from fitter.word where team_id = team;
  insert into fitter.word (team_id, word)
    select distinct team, one from fitter.job j, unnest(string_to_array(j.words, ' ')) one
    where j.team_id = team and length(one) between 4 and 40 and one <> lower(replace(j.id, '-', ''))
    on conflict do nothing;
end $$;

update fitter.job set shown = shown;
select fitter.renew_words(id) from fitter.team;

-- What a number, a plate or an IMEI may have been meant as: one sign wrong, missing, too many, or exchanged with its neighbour.
-- Numbers of a company are alike, so that likeness would mean all of them; these few hundred are looked up one by one.
create function fitter.typed_as(given text) returns setof text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select left(given, n - 1) || sign || substr(given, n + 1) from generate_series(1, length(given)) n, regexp_split_to_table('0123456789abcdefghijklmnopqrstuvwxyz', '') sign where given ~ '[^0-9]' or sign < 'a'
  union select left(given, n - 1) || sign || substr(given, n) from generate_series(1, length(given) + 1) n, regexp_split_to_table('0123456789abcdefghijklmnopqrstuvwxyz', '') sign where given ~ '[^0-9]' or sign < 'a'
  union select left(given, n - 1) || substr(given, n + 1) from generate_series(1, length(given)) n
  union select left(given, n - 1) || substr(given, n + 1, 1) || substr(given, n, 1) || substr(given, n + 2) from generate_series(1, length(given) - 1) n
$$;

-- The words of the team that are nearest to one with typing errors; the word itself where one has it inside.
create function fitter.near_words(team uuid, given text) returns text[] language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  trgm text;
  is_number boolean := given ~ '[0-9]';
  is_inside boolean;
  found text[];
begin
  if length(given) < 4 then return array['%' || given || '%']; end if;
  if is_number then
    select array_agg('% ' || near.word || ' %') into found from (
      select w.word from fitter.word w where w.team_id = team and w.word = any (array(select fitter.typed_as(left(given, 40)))) order by w.word limit 12
    ) near;
    if found is not null then return found; end if;
    -- As part of a number it may be right, and another word of the search wrong.
    select exists (select from fitter.word w where w.team_id = team and w.word like '%' || given || '%' and w.word ~ '[0-9]') into is_inside;
    return case when is_inside then array['%' || given || '%'] else array[]::text[] end;
  end if;
  select exists (select from fitter.word w where w.team_id = team and w.word like '%' || given || '%' and w.word !~ '[0-9]') into is_inside;
  if is_inside then return array['%' || given || '%']; end if;
  trgm := (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm');
  -- Of a short word two exchanged letters leave little.
  perform set_config('pg_trgm.similarity_threshold', case when length(given) < 6 then '0.18' else '0.24' end, true);
  execute format($sql$
    select array_agg('%% ' || word || ' %%' order by near desc, word) from (
      select word, near, max(near) over () as nearest from (
        select w.word, %1$s.similarity(w.word, $2) as near from fitter.word w where w.team_id = $1 and w.word operator(%1$s.%%) $2 and w.word !~ '[0-9]' order by near desc, w.word limit 12
      ) closest
    ) found where near >= nearest * 0.8 $sql$, trgm) into found using team, given;
  return coalesce(found, array[]::text[]);
end $$;

-- Jobs of the caller's team, newest made first, after the one that is named: what find_jobs tells, and more.
create function fitter.list_jobs(wanted jsonb, most int)
returns table (id text, kind text, state text, template text, imei text, model text, vehicle text, plate text, customer text, technician text,
  made_at timestamptz, changed_at timestamptz, ended_at timestamptz, needs_help boolean, shown jsonb, holder text, is_mine boolean, head_seq bigint, forks bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  team uuid;
  is_near boolean := wanted ->> 'nearly' = 'true';
  me uuid;
  -- All that is wanted of it, and its words alone.
  condition text := 'j.team_id = $1';
  -- From where the page goes on.
  place text := '';
  known text[];
  word text;
  name text;
  patterns text[];
  parts text[] := array[]::text[];
  -- What is open is left in, unless it is asked for what ended.
  open_too text := case when wanted ->> 'group' = 'ended' then '' else 'j.ended_at is null or ' end;
begin
  select l.id, l.team_id into me, team from fitter.laptop l where l.login = session_user and l.left_at is null;
  if team is null then return; end if;
  if most is null or most < 1 or most > 1000 or jsonb_typeof(wanted) is distinct from 'object' or jsonb_typeof(coalesce(wanted -> 'words', '[]')) <> 'array' or jsonb_typeof(coalesce(wanted -> 'ids', '[]')) <> 'array' then
    raise exception 'not the form of a question' using errcode = 'FT006';
  end if;
  for word in select replace(replace(replace(left(one, 60), '\', '\\'), '%', '\%'), '_', '\_') from jsonb_array_elements_text(coalesce(wanted -> 'words', '[]')) one where one <> '' limit 12 loop
    -- One and two letters are looked for at the beginning of a word: inside of words they are everywhere.
    patterns := case when length(word) < 3 then array['% ' || word || '%'] when is_near then fitter.near_words(team, word) else array['%' || word || '%'] end;
    if cardinality(patterns) = 0 then return; end if;
    condition := condition || ' and (' || (select string_agg(format('j.words like %L', one), ' or ') from unnest(patterns) one) || ')';
  end loop;
  foreach name in array array['state', 'kind', 'imei', 'plate', 'vehicle', 'technician', 'customer'] loop
    if wanted ? name then condition := condition || format(' and j.%I = %L', name, left(wanted ->> name, 400)); end if;
  end loop;
  if wanted ? 'vehicleId' then condition := condition || format(' and j.vehicle_id = %L', left(wanted ->> 'vehicleId', 20)); end if;
  if wanted ? 'holder' then condition := condition || format(' and j.holder in (select h.id from fitter.laptop h where h.team_id = $1 and h.name = %L)', left(wanted ->> 'holder', 200)); end if;
  if wanted ->> 'mine' = 'true' then condition := condition || ' and j.holder = $2'; end if;
  if wanted ->> 'open' = 'true' then condition := condition || ' and j.ended_at is null'; end if;
  if wanted ? 'ids' then
    condition := condition || format(' and j.id = any (%L::text[])', (select array_agg(one) from (select one from jsonb_array_elements_text(wanted -> 'ids') one limit 200) given));
  end if;
  -- Jobs that have one of these.
  if wanted ? 'either' then
    foreach name in array array['imei', 'plate', 'vehicleId'] loop
      if coalesce(wanted -> 'either' ->> name, '') <> '' then
        parts := parts || format('(j.%1$I = %2$L and j.%1$I <> '''')', case name when 'vehicleId' then 'vehicle_id' else name end, left(wanted -> 'either' ->> name, 100));
      end if;
    end loop;
    if cardinality(parts) = 0 then return; end if;
    condition := condition || ' and (' || array_to_string(parts, ' or ') || ')';
  end if;
  case wanted ->> 'group'
    when 'inWork' then condition := condition || ' and j.ended_at is null and j.state in (''draft'', ''running'')';
    when 'waiting' then condition := condition || ' and j.ended_at is null and j.state = ''installedAwaitingGateway''';
    when 'ended' then condition := condition || ' and j.ended_at is not null';
    when 'needHelp' then condition := condition || ' and j.needs_help';
    when 'skipped' then condition := condition || ' and j.skipped > 0';
    else null;
  end case;
  if wanted ? 'since' then condition := condition || format(' and j.made_at >= %L::timestamptz', fitter.time_in(wanted ->> 'since')); end if;
  if wanted ? 'until' then condition := condition || format(' and j.made_at < %L::timestamptz', fitter.time_in(wanted ->> 'until')); end if;
  if wanted ? 'endedSince' then condition := condition || format(' and (' || open_too || 'j.ended_at >= %L::timestamptz)', fitter.time_in(wanted ->> 'endedSince')); end if;
  if wanted ? 'endedUntil' then condition := condition || format(' and (' || open_too || 'j.ended_at < %L::timestamptz)', fitter.time_in(wanted ->> 'endedUntil')); end if;
  if wanted ? 'after' then
    place := format(' and (j.made_at, j.id) < (select k.made_at, k.id from fitter.job k where k.team_id = $1 and k.id = %L)', left(wanted ->> 'after', 40));
  end if;
  -- Ids alone, as few as are asked for. The words stand in it as they are, so that the server knows how frequent they are: what
  -- many have it meets soon among the newest, what few have it takes from the index of words. The rows of these ids are read by a
  -- statement that is planned once.
  execute format('select array(select j.id from fitter.job j where %s%s order by j.made_at desc, j.id desc limit %s)', condition, place, most) into known using team, me;
  return query select j.id, j.kind, j.state, j.template, j.imei, j.model, j.vehicle, j.plate, j.customer, j.technician, j.made_at, j.changed_at, j.ended_at, j.needs_help, j.shown,
    coalesce((select l.name from fitter.laptop l where l.id = j.holder), ''), coalesce(j.holder = me, false), j.head_seq, (select count(*) from fitter.fork f where f.team_id = j.team_id and f.job_id = j.id)
    from fitter.job j where j.team_id = team and j.id = any (known) order by j.made_at desc, j.id desc;
end $$;

-- For laptops that know no list_jobs.
create or replace function fitter.find_jobs(wanted jsonb, most int)
returns table (id text, kind text, state text, template text, imei text, model text, vehicle text, plate text, customer text, technician text,
  made_at timestamptz, changed_at timestamptz, shown jsonb, holder text, head_seq bigint, forks bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select j.id, j.kind, j.state, j.template, j.imei, j.model, j.vehicle, j.plate, j.customer, j.technician, j.made_at, j.changed_at, j.shown, j.holder, j.head_seq, j.forks
  from fitter.list_jobs(wanted, most) j
$$;

-- How the work of the team stands: what is open, and what ended since the beginning of a day. Of both at most so many are
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
    (select j.state, j.needs_help, j.skipped > 0 as is_skipped, j.customer, j.technician, false as is_ended from fitter.job j
      where j.team_id = team and j.ended_at is null and (whose is null or j.technician = whose) order by j.made_at desc limit 20000)
    union all
    (select j.state, j.needs_help, j.skipped > 0, j.customer, j.technician, true from fitter.job j
      where j.team_id = team and j.ended_at is not null and j.ended_at >= since and (whose is null or j.technician = whose) limit 20000)
  ), people as (
    select technician, count(*) as jobs from seen where technician <> '' group by technician
  ), places as (
    select customer, count(*) filter (where state = 'done') as done, count(*) as jobs from seen group by customer
  ), ended as (
    select count(*) filter (where j.is_first_time) as right_at_once, count(j.is_first_time) as counted from fitter.job j
      where j.team_id = team and j.ended_at is not null and j.ended_at >= month_since and (whose is null or j.technician = whose)
  )
  select jsonb_build_object(
    'all', count(*), 'needHelp', count(*) filter (where needs_help), 'inWork', count(*) filter (where not is_ended and state <> 'installedAwaitingGateway'),
    'waiting', count(*) filter (where state = 'installedAwaitingGateway'), 'skipped', count(*) filter (where is_skipped), 'ended', count(*) filter (where is_ended),
    'technicianCount', (select count(*) from people),
    'technicians', coalesce((select jsonb_agg(jsonb_build_object('technician', technician, 'jobs', jobs) order by jobs desc, technician) from (select * from people order by jobs desc, technician limit 200) p), '[]'),
    'customers', coalesce((select jsonb_agg(jsonb_build_object('customer', customer, 'done', done, 'of', jobs) order by jobs desc, customer) from (select * from places order by jobs desc, customer limit 50) p), '[]'),
    'firstTimeRight', (select right_at_once from ended), 'firstTimeOf', (select counted from ended)
  ) into told from seen;
  return told;
end $$;

-- Jobs that changed since a moment, for whoever is told no news: null in place of them when there are more than so many.
create function fitter.changed_since(moment timestamptz) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  team uuid := fitter.my_team();
  found jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'at', changed_at)), '[]') into found from (
    select j.id, j.changed_at from fitter.job j where j.team_id = team and j.changed_at >= moment and j.changed_at > now() - interval '1 hour' order by j.changed_at desc limit 201
  ) changed;
  return jsonb_build_object('now', now(), 'jobs', case when moment is null or jsonb_array_length(found) > 200 then null else found end);
end $$;

revoke all on fitter.word from public;
revoke all on all functions in schema fitter from public;
grant execute on function fitter.list_jobs(jsonb, int), fitter.counts(jsonb), fitter.changed_since(timestamptz) to fitter_reads;
`
