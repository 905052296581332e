/**
 * How the jobs of a team are listed and searched. A frequent word fills a page from the newest jobs, a rare one is
 * found by the indexes, and neither search reads all jobs. Typing errors are looked for among the distinct words and
 * numbers alone.
 */
export const search = String.raw`
-- What a number, a plate or an IMEI may have been meant as: one sign wrong, missing, too many, or exchanged with its neighbour.
-- Numbers of a company are alike, so that likeness would mean all of them; these few hundred are looked up one by one.
create function fitter.typed_as(given text) returns setof text language sql immutable set search_path = pg_catalog, pg_temp as $$
  with sign as materialized (select one from unnest(string_to_array(case when given ~ '^[0-9]+$' then '0123456789' else '0123456789abcdefghijklmnopqrstuvwxyz' end, null)) one)
  select left(given, n - 1) || sign.one || substr(given, n + 1) from generate_series(1, length(given)) n, sign
  union all select left(given, n - 1) || sign.one || substr(given, n) from generate_series(1, length(given) + 1) n, sign
  union all select left(given, n - 1) || substr(given, n + 1) from generate_series(1, length(given)) n
  union all select left(given, n - 1) || substr(given, n + 1, 1) || substr(given, n, 1) || substr(given, n + 2) from generate_series(1, length(given) - 1) n
$$;

-- How digits are asked of the pieces of numbers. The end of a long one is enough to find few: IMEIs begin alike.
create function fitter.piece_query(digits text) returns tsquery language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case when length(digits) <= 5 then digits || ':*' else right(digits, 5) || ' & ' || left(right(digits, 10), 5) end::tsquery
$$;

-- What a job has to be like that has a word inside of one of its own: as it is seen of one job after the other, and what the
-- indexes have to be asked for, which may be more. One and two signs are looked for at the beginning of a word: inside of
-- words they are everywhere.
create function fitter.having(given text, out seen text, out sought text) language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  inside text := format('%L', case when length(given) < 3 then '% ' else '%' end || replace(replace(replace(given, '\', '\\'), '%', '\%'), '_', '\_') || '%');
begin
  seen := format('j.words like %s', inside);
  sought := seen;
  if given ~ '^[0-9]+$' and length(given) >= 3 then
    seen := format('(%s or j.imei like %s)', seen, inside);
    sought := format('j.pieces @@ %L::tsquery', fitter.piece_query(given));
  elsif given ~ '^[0-9]+$' then
    seen := format('(%s or j.imei like %L)', seen, given || '%');
    sought := seen;
  -- What may be an id.
  elsif given ~ '^[0-9a-z]{6,40}$' and given ~ '[0-9]' then
    sought := format('(%s or j.pieces @@ %L::tsquery)', seen, quote_literal('#' || given) || ':*');
    seen := format('(%s or lower(j.id) like %L)', seen, given || '%');
  end if;
end $$;

-- The same for a word with typing errors: of the words and the IMEIs of the team those that are nearest. Null where none is.
create function fitter.nearly_having(team uuid, given text, out seen text, out sought text) language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  trgm text;
  meant text[];
  imeis text[] := array[]::text[];
  words text[];
  is_inside boolean;
begin
  if given ~ '[0-9]' and length(given) >= 4 then
    meant := array(select fitter.typed_as(left(given, 40)));
    words := array(select w.word from fitter.word w where w.team_id = team and w.word = any (meant) order by w.word limit 12);
    if given ~ '^[0-9]+$' then imeis := array(select distinct l.imei from fitter.listed l where l.team_id = team and l.imei <> '' and l.imei = any (meant) order by l.imei limit 12); end if;
  elsif length(given) >= 4 then
    select exists (select from fitter.word w where w.team_id = team and w.word like '%' || given || '%' and w.word !~ '[0-9]') into is_inside;
    if not is_inside then
      trgm := (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm');
      -- Of a short word two exchanged letters leave little.
      perform set_config('pg_trgm.similarity_threshold', case when length(given) < 6 then '0.18' else '0.24' end, true);
      execute format($sql$
        select array_agg(word order by near desc, word) from (
          select word, near, max(near) over () as nearest from (
            select w.word, %1$s.similarity(w.word, $2) as near from fitter.word w where w.team_id = $1 and w.word operator(%1$s.%%) $2 and w.word !~ '[0-9]' order by near desc, w.word limit 12
          ) closest
        ) found where near >= nearest * 0.8 $sql$, trgm) into words using team, given;
      if words is null then return; end if;
    end if;
  end if;
  if cardinality(words) > 0 then seen := (select '(' || string_agg(format('j.words like %L', '% ' || one || ' %'), ' or ') || ')' from unnest(words) one); end if;
  if cardinality(imeis) > 0 then seen := concat_ws(' or ', seen, format('(j.imei <> '''' and j.imei = any (%L::text[]))', imeis)); end if;
  seen := '(' || seen || ')';
  sought := seen;
  -- It may be right, and another word of the search wrong.
  if seen is null then select h.seen, h.sought into seen, sought from fitter.having(given) h; end if;
end $$;

-- How many rows the server expects of a statement. It changes nothing, but is not allowed where a function promises so.
create function fitter.expected(statement text) returns float8 language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
declare plan json;
begin
  execute 'explain (format json) ' || statement into plan;
  return (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
end $$;

-- Jobs of the caller's team, newest made first, after the one that is named.
create function fitter.list_jobs(wanted jsonb, most int)
returns table (id text, kind text, state text, template text, imei text, model text, vehicle text, plate text, customer text, technician text,
  made_at timestamptz, changed_at timestamptz, ended_at timestamptz, needs_help boolean, shown jsonb, holder text, is_mine boolean, head_seq bigint, forks bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  team uuid;
  is_near boolean := wanted ->> 'nearly' = 'true';
  me uuid;
  -- The jobs among which it is looked: of the team, from where the page goes on.
  among text;
  place fitter.listed;
  -- What is wanted of them beside words, and the words.
  filters text := '';
  seen text := '';
  sought text := '';
  has record;
  known text[];
  word text;
  name text;
  parts text[] := array[]::text[];
  -- What is open is left in, unless it is asked for what ended.
  open_too text := case when wanted ->> 'group' = 'ended' then '' else 'j.ended_at is null or ' end;
  newest constant text := ' order by j.made_at desc, j.id desc limit ';
  -- A number that is nearly whole few have.
  is_of_few boolean := wanted @? '$.words[*] ? (@ like_regex "^[0-9]{10,}$")';
  -- How many jobs there are and how many have it; how many of the newest fill a page, and how many are looked at one by one.
  there float8;
  expected float8;
  needed float8;
  walked float8;
begin
  select l.id, l.team_id into me, team from fitter.laptop l where l.login = session_user and l.left_at is null;
  if team is null then return; end if;
  if most is null or most < 1 or most > 1000 or jsonb_typeof(wanted) is distinct from 'object' or jsonb_typeof(coalesce(wanted -> 'words', '[]')) <> 'array' or jsonb_typeof(coalesce(wanted -> 'ids', '[]')) <> 'array' then
    raise exception 'not the form of a question' using errcode = 'FT006';
  end if;
  among := format('j.team_id = %L::uuid', team);
  if wanted ? 'after' then
    select * into place from fitter.listed l where l.team_id = team and l.id = left(wanted ->> 'after', 40);
    if place.id is null then return; end if;
    among := among || format(' and (j.made_at, j.id) < (%L::timestamptz, %L)', place.made_at, place.id);
  end if;

  foreach name in array array['state', 'kind', 'imei', 'plate', 'technician', 'customer'] loop
    if wanted ? name then filters := filters || format(' and j.%I = %L', name, left(wanted ->> name, 400)); end if;
  end loop;
  if wanted ? 'vehicleId' then filters := filters || format(' and j.vehicle_id = %L', left(wanted ->> 'vehicleId', 20)); end if;
  if wanted ? 'holder' then filters := filters || format(' and j.holder in (select h.id from fitter.laptop h where h.team_id = %L::uuid and h.name = %L)', team, left(wanted ->> 'holder', 200)); end if;
  if wanted ->> 'mine' = 'true' then filters := filters || format(' and j.holder = %L::uuid', me); end if;
  if wanted ->> 'open' = 'true' then filters := filters || ' and j.ended_at is null'; end if;
  if wanted ? 'ids' then
    filters := filters || format(' and j.id = any (%L::text[])', (select array_agg(one) from (select one from jsonb_array_elements_text(wanted -> 'ids') one limit 200) given));
  end if;
  -- Jobs that have one of these.
  if wanted ? 'either' then
    foreach name in array array['imei', 'plate', 'vehicleId'] loop
      if coalesce(wanted -> 'either' ->> name, '') <> '' then
        parts := parts || format('(j.%1$I = %2$L and j.%1$I <> '''')', case name when 'vehicleId' then 'vehicle_id' else name end, left(wanted -> 'either' ->> name, 100));
      end if;
    end loop;
    if cardinality(parts) = 0 then return; end if;
    filters := filters || ' and (' || array_to_string(parts, ' or ') || ')';
  end if;
  case wanted ->> 'group'
    when 'inWork' then filters := filters || ' and j.ended_at is null and j.state in (''draft'', ''running'')';
    when 'waiting' then filters := filters || ' and j.ended_at is null and j.state = ''installedAwaitingGateway''';
    when 'ended' then filters := filters || ' and j.ended_at is not null';
    when 'needHelp' then filters := filters || ' and j.needs_help';
    when 'skipped' then filters := filters || ' and j.skipped > 0';
    else null;
  end case;
  if wanted ? 'since' then filters := filters || format(' and j.made_at >= %L::timestamptz', fitter.time_in(wanted ->> 'since')); end if;
  if wanted ? 'until' then filters := filters || format(' and j.made_at < %L::timestamptz', fitter.time_in(wanted ->> 'until')); end if;
  if wanted ? 'endedSince' then filters := filters || format(' and (' || open_too || 'j.ended_at >= %L::timestamptz)', fitter.time_in(wanted ->> 'endedSince')); end if;
  if wanted ? 'endedUntil' then filters := filters || format(' and (' || open_too || 'j.ended_at < %L::timestamptz)', fitter.time_in(wanted ->> 'endedUntil')); end if;

  for word in select left(one, 60) from jsonb_array_elements_text(coalesce(wanted -> 'words', '[]')) one where one <> '' limit 12 loop
    if is_near then select * into has from fitter.nearly_having(team, word); else select * into has from fitter.having(word); end if;
    if has.seen is null then return; end if;
    seen := seen || ' and ' || has.seen;
    sought := sought || ' and ' || has.sought;
  end loop;

  if seen = '' then
    execute 'select array(select j.id from fitter.listed j where ' || among || filters || newest || most || ')' into known;
  else
    -- What many have fills a page from the newest, as long as those are not all without it; what few have is found by the
    -- indexes. Which of them it is the server knows. Looking at one more costs half of what finding one more does.
    if not is_of_few then
      expected := fitter.expected('select from fitter.listed j where true' || filters || seen);
      there := (select c.reltuples from pg_class c where c.oid = 'fitter.listed'::regclass);
      needed := most * there / expected;
      walked := least(20 * needed, 2 * expected);
      if walked >= needed then
        execute format('select array(select j.id from (select * from fitter.listed j where %s%s%s) j where true%s%s%s%s)', among, newest, walked::bigint, filters, seen, newest, most) into known;
        if cardinality(known) < most then known := null; end if;
      end if;
    end if;
    if known is null then
      execute format('select array(select j.id from (select * from fitter.listed j where %s%s%s offset 0) j where true%s%s%s)', among, filters, sought, seen, newest, most) into known;
    end if;
  end if;
  return query select j.id, j.kind, j.state, j.template, j.imei, j.model, j.vehicle, j.plate, j.customer, j.technician, j.made_at, j.changed_at, j.ended_at, j.needs_help, j.shown,
    coalesce((select l.name from fitter.laptop l where l.id = j.holder), ''), coalesce(j.holder = me, false), j.head_seq, (select count(*) from fitter.fork f where f.team_id = j.team_id and f.job_id = j.id)
    from fitter.job j where j.team_id = team and j.id = any (known) order by j.made_at desc, j.id desc;
end $$;
`
