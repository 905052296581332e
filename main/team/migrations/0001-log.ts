/**
 * The log of a company's laptops. Laptops only read rows of their own team; all that they write goes through functions that
 * check it, and nobody but the owner of the schema may change or delete anything.
 *
 * Failures of the functions have a state of their own (class FT), so that a client needs no words to tell them apart:
 * FT001 no laptop of a team, or one that only reads; FT002 somebody else holds the job; FT003 a hash does not fit;
 * FT004 entries are missing before the first one; FT005 more than one call may carry; FT006 not of the form that is agreed.
 */
export const log = `
-- Where somebody else has put it, it is used there.
create extension if not exists pg_trgm with schema fitter;
select set_config('search_path', 'pg_catalog, ' || (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm'), true);

create table fitter.team (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (length(name) between 1 and 200),
  -- Whoever may connect may listen: nobody guesses this one.
  channel text not null default 'fitter_' || replace(gen_random_uuid()::text, '-', ''),
  made_at timestamptz not null default now()
);

create table fitter.laptop (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references fitter.team (id),
  login name not null unique,
  name text not null check (length(name) between 1 and 200),
  may_write boolean not null,
  invited_at timestamptz not null default now(),
  -- The data folder that joined with this login; another one with the same login is told so.
  data_folder uuid,
  joined_at timestamptz,
  left_at timestamptz,
  pushed_at timestamptz
);
create index laptop_team on fitter.laptop (team_id);

create table fitter.job (
  team_id uuid not null references fitter.team (id),
  id text not null check (id ~ '^[0-9A-Za-z-]{1,40}$'),
  -- Of the day on which it was first pushed: all its entries lie in one partition.
  month date not null default date_trunc('month', now() at time zone 'UTC')::date,
  holder uuid references fitter.laptop (id),
  head_seq bigint not null default 0,
  head_hash text not null,
  -- What lists show, as its holder sums it up. The entries are the truth.
  kind text not null default '',
  state text not null default '',
  template text not null default '',
  imei text not null default '',
  model text not null default '',
  vehicle text not null default '',
  plate text not null default '',
  customer text not null default '',
  technician text not null default '',
  made_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- As its list shows it; what others make of it they check.
  shown jsonb,
  words text not null default '',
  is_held_by_law boolean not null default false,
  primary key (team_id, id)
);

create table fitter.entry (
  team_id uuid not null,
  month date not null,
  job_id text not null,
  seq bigint not null,
  -- The entry as it was hashed, without its hash.
  text text not null,
  hash text not null,
  pushed_by uuid not null,
  pushed_at timestamptz not null default now(),
  primary key (month, team_id, job_id, seq)
) partition by range (month);

-- Another entry at the place of one that is there: both are kept, a person decides.
create table fitter.fork (
  team_id uuid not null references fitter.team (id),
  job_id text not null,
  seq bigint not null,
  text text not null,
  hash text not null,
  pushed_by uuid not null references fitter.laptop (id),
  pushed_at timestamptz not null default now(),
  primary key (team_id, job_id, seq, hash)
);

-- Pictures, checklists and profiles, by the SHA-256 of all their bytes.
create table fitter.content (
  team_id uuid not null references fitter.team (id),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  media_type text not null check (media_type in ('image/jpeg', 'image/png', 'application/json')),
  size_bytes bigint not null check (size_bytes between 0 and 64000000),
  -- Null until every piece is there and their hash fits.
  whole_at timestamptz,
  primary key (team_id, sha256)
);
create table fitter.piece (
  team_id uuid not null,
  sha256 text not null,
  number int not null check (number >= 0),
  bytes bytea not null check (length(bytes) between 1 and 262144),
  primary key (team_id, sha256, number),
  foreign key (team_id, sha256) references fitter.content (team_id, sha256)
);

-- Whose login this is. Null for who has left, and for everybody else.
create function fitter.my_laptop() returns uuid language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select id from fitter.laptop where login = session_user and left_at is null $$;
create function fitter.my_team() returns uuid language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select team_id from fitter.laptop where login = session_user and left_at is null $$;

create function fitter.writer() returns fitter.laptop language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare me fitter.laptop;
begin
  select * into me from fitter.laptop where login = session_user and left_at is null;
  if me.id is null then raise exception 'not a laptop of a team' using errcode = 'FT001'; end if;
  if not me.may_write then raise exception 'this login only reads' using errcode = 'FT001'; end if;
  return me;
end $$;

create function fitter.join_team(folder uuid) returns table (team text, laptop text, channel text, may_write boolean, is_taken boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare me fitter.laptop;
begin
  select * into me from fitter.laptop l where l.login = session_user and l.left_at is null for update;
  if me.id is null then raise exception 'not a laptop of a team' using errcode = 'FT001'; end if;
  if me.data_folder is null then
    update fitter.laptop l set data_folder = folder, joined_at = now() where l.id = me.id;
    me.data_folder := folder;
  end if;
  return query select t.name, me.name, t.channel, me.may_write, me.data_folder is distinct from folder from fitter.team t where t.id = me.team_id;
end $$;

create function fitter.leave_team() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update fitter.laptop set left_at = now() where login = session_user and left_at is null;
end $$;

create function fitter.keep_month(wanted date) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare part text := 'entry_' || to_char(wanted, 'YYYYMM');
begin
  if to_regclass('fitter.' || part) is not null then return; end if;
  -- Two laptops may be the first of a month at the same moment.
  perform pg_advisory_xact_lock(hashtext('fitter.' || part));
  if to_regclass('fitter.' || part) is null then
    execute format('create table fitter.%I partition of fitter.entry for values from (%L) to (%L)', part, wanted, (wanted + interval '1 month')::date);
  end if;
end $$;

-- The one door: entries of a job, each as the text that was hashed, in order. What is there already is acknowledged again.
-- Gives the seq and hash of each entry with what became of it: added, known, or fork.
create function fitter.append(summary jsonb, texts text[], hashes text[])
returns table (seq bigint, hash text, outcome text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  me fitter.laptop := fitter.writer();
  own fitter.job;
  job_id text := summary ->> 'id';
  given int := coalesce(cardinality(texts), 0);
  first_seq bigint;
  before_first text;
  fork_from bigint;
begin
  if job_id is null or job_id !~ '^[0-9A-Za-z-]{1,40}$' or given = 0 or given is distinct from cardinality(hashes) or array_position(texts, null) is not null then
    raise exception 'not the form of a push' using errcode = 'FT006';
  end if;
  if given > 2000 or pg_column_size(texts) > 16000000 or pg_column_size(summary) > 1000000 then
    raise exception 'more than one call may carry' using errcode = 'FT005';
  end if;
  begin
    first_seq := (texts[1]::json ->> 'seq')::bigint;
    if exists (select from unnest(texts) with ordinality as one (text, n) where (one.text::json ->> 'seq')::bigint is distinct from first_seq + n - 1) then
      raise exception 'entries are missing' using errcode = 'FT004';
    end if;
  exception when data_exception then
    raise exception 'not the form of an entry' using errcode = 'FT006';
  end;
  if first_seq is null or first_seq < 1 then raise exception 'not the form of an entry' using errcode = 'FT006'; end if;

  insert into fitter.job (team_id, id, holder, head_hash) values (me.team_id, job_id, me.id, encode(sha256(convert_to(job_id, 'UTF8')), 'hex')) on conflict do nothing;
  select * into own from fitter.job where team_id = me.team_id and id = job_id for update;
  if first_seq > own.head_seq + 1 then raise exception 'entries are missing' using errcode = 'FT004', detail = own.head_seq::text; end if;
  if first_seq = 1 then
    before_first := encode(sha256(convert_to(job_id, 'UTF8')), 'hex');
  else
    select e.hash into before_first from fitter.entry e where e.month = own.month and e.team_id = me.team_id and e.job_id = own.id and e.seq = first_seq - 1;
  end if;
  if exists (
    select from (select one.text, one.hash, lag(one.hash, 1, before_first) over (order by n) as before from unnest(texts, hashes) with ordinality as one (text, hash, n)) as given
    where given.hash is distinct from encode(sha256(convert_to(given.before || given.text, 'UTF8')), 'hex')
  ) then raise exception 'a hash does not fit' using errcode = 'FT003'; end if;

  select min(e.seq) into fork_from
    from fitter.entry e join unnest(hashes) with ordinality as one (hash, n) on e.seq = first_seq + n - 1
    where e.month = own.month and e.team_id = me.team_id and e.job_id = own.id and e.seq >= first_seq and e.hash <> one.hash;
  if fork_from is not null then
    if (select count(*) from fitter.fork f where f.team_id = me.team_id and f.job_id = own.id) < 10000 then
      insert into fitter.fork (team_id, job_id, seq, text, hash, pushed_by)
        select me.team_id, own.id, first_seq + n - 1, one.text, one.hash, me.id from unnest(texts, hashes) with ordinality as one (text, hash, n)
        where first_seq + n - 1 >= fork_from on conflict do nothing;
    end if;
    perform pg_notify((select t.channel from fitter.team t where t.id = me.team_id), own.id);
    return query select first_seq + n - 1, one.hash, case when first_seq + n - 1 < fork_from then 'known' else 'fork' end from unnest(hashes) with ordinality as one (hash, n);
    return;
  end if;

  if first_seq + given - 1 > own.head_seq then
    if own.holder is distinct from me.id then raise exception 'somebody else holds this job' using errcode = 'FT002'; end if;
    perform fitter.keep_month(own.month);
    insert into fitter.entry (team_id, month, job_id, seq, text, hash, pushed_by)
      select me.team_id, own.month, own.id, first_seq + n - 1, one.text, one.hash, me.id from unnest(texts, hashes) with ordinality as one (text, hash, n)
      where first_seq + n - 1 > own.head_seq;
  end if;
  -- Whoever holds it says how it is listed, and only with its last entry: an older push that comes again changes nothing.
  if own.holder = me.id and first_seq + given - 1 >= own.head_seq then
    update fitter.job set
      head_seq = first_seq + given - 1, head_hash = hashes[given],
      kind = left(coalesce(summary ->> 'kind', ''), 40), state = left(coalesce(summary ->> 'state', ''), 40), template = left(coalesce(summary ->> 'template', ''), 200),
      imei = left(coalesce(summary ->> 'imei', ''), 40), model = left(coalesce(summary ->> 'model', ''), 200), vehicle = left(coalesce(summary ->> 'vehicle', ''), 400),
      plate = left(coalesce(summary ->> 'plate', ''), 100), customer = left(coalesce(summary ->> 'customer', ''), 400), technician = left(coalesce(summary ->> 'technician', ''), 400),
      made_at = least(now() + interval '1 day', coalesce(fitter.time_in(summary ->> 'madeAt'), made_at)), changed_at = now(),
      shown = case when jsonb_typeof(summary -> 'shown') = 'object' then summary -> 'shown' end, words = left(coalesce(summary ->> 'words', ''), 4000)
    where team_id = me.team_id and id = own.id;
  end if;
  update fitter.laptop set pushed_at = now() where id = me.id and (pushed_at is null or pushed_at < now() - interval '10 seconds');
  -- Commits that tell something wait for each other: what is pushed in bulk is found by looking.
  if given <= 20 then perform pg_notify((select t.channel from fitter.team t where t.id = me.team_id), own.id); end if;
  return query select first_seq + n - 1, one.hash, case when first_seq + n - 1 <= own.head_seq then 'known' else 'added' end from unnest(hashes) with ordinality as one (hash, n);
end $$;

-- A time as a laptop wrote it; null for what is none.
create function fitter.time_in(given text) returns timestamptz language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return given::timestamptz;
exception when data_exception then return null;
end $$;

-- Which of these are not there whole.
create function fitter.missing(wanted text[]) returns setof text language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select one from unnest(wanted) one where not exists (select from fitter.content c where c.team_id = fitter.my_team() and c.sha256 = one and c.whole_at is not null)
$$;

create function fitter.keep_piece(hash text, media_type text, size_bytes bigint, number int, bytes bytea) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare me fitter.laptop := fitter.writer();
begin
  if number < 0 or number > 250 or length(bytes) > 262144 then raise exception 'more than one call may carry' using errcode = 'FT005'; end if;
  insert into fitter.content as c (team_id, sha256, media_type, size_bytes) values (me.team_id, hash, media_type, size_bytes) on conflict do nothing;
  if (select c.whole_at from fitter.content c where c.team_id = me.team_id and c.sha256 = hash for update) is not null then return; end if;
  insert into fitter.piece as p (team_id, sha256, number, bytes) values (me.team_id, hash, number, bytes)
    on conflict on constraint piece_pkey do update set bytes = excluded.bytes;
exception when check_violation or not_null_violation then
  raise exception 'not the form of a picture' using errcode = 'FT006';
end $$;

-- Says whether all of it is there. What does not fit its hash is taken away, so that it can be given again.
create function fitter.close_content(hash text) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop := fitter.writer();
  own fitter.content;
  fits boolean;
begin
  select * into own from fitter.content c where c.team_id = me.team_id and c.sha256 = hash for update;
  if own.sha256 is null then return false; end if;
  if own.whole_at is not null then return true; end if;
  select encode(sha256(string_agg(p.bytes, ''::bytea order by p.number)), 'hex') = hash and sum(length(p.bytes)) = own.size_bytes
    into fits from fitter.piece p where p.team_id = me.team_id and p.sha256 = hash;
  if fits then
    update fitter.content c set whole_at = now() where c.team_id = me.team_id and c.sha256 = hash;
  else
    delete from fitter.piece p where p.team_id = me.team_id and p.sha256 = hash;
    delete from fitter.content c where c.team_id = me.team_id and c.sha256 = hash;
  end if;
  return coalesce(fits, false);
end $$;

-- Jobs of the caller's team, newest made first, after the one that is named. Row-level security would keep the index of words
-- from being used, so it is asked here, for this team alone. With nearly: words with typing errors in them are found as well.
create function fitter.find_jobs(wanted jsonb, most int)
returns table (id text, kind text, state text, template text, imei text, model text, vehicle text, plate text, customer text, technician text,
  made_at timestamptz, changed_at timestamptz, shown jsonb, holder text, head_seq bigint, forks bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set pg_trgm.word_similarity_threshold = '0.38' as $$
#variable_conflict use_column
declare
  team uuid := fitter.my_team();
  near text := case when wanted ->> 'nearly' = 'true' then '<%' else 'like' end;
  trgm text := (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm');
  sql text := 'select j.id, j.kind, j.state, j.template, j.imei, j.model, j.vehicle, j.plate, j.customer, j.technician, j.made_at, j.changed_at, j.shown, coalesce(l.name::text, ''''), j.head_seq,
    (select count(*) from fitter.fork f where f.team_id = j.team_id and f.job_id = j.id)
    from fitter.job j left join fitter.laptop l on l.id = j.holder where j.team_id = $1';
  word text;
  name text;
begin
  if team is null then return; end if;
  if most is null or most < 1 or most > 1000 or jsonb_typeof(wanted) is distinct from 'object' then raise exception 'not the form of a question' using errcode = 'FT006'; end if;
  for word in select left(one, 60) from jsonb_array_elements_text(coalesce(wanted -> 'words', '[]')) one limit 12 loop
    if near = 'like' then
      sql := sql || format(' and j.words like %L', '%' || replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_') || '%');
    else
      sql := sql || format(' and %L operator(%s.<%%) j.words', word, trgm);
    end if;
  end loop;
  foreach name in array array['state', 'kind', 'imei', 'vehicle', 'technician', 'customer'] loop
    if wanted ? name then sql := sql || format(' and j.%I = %L', name, left(wanted ->> name, 400)); end if;
  end loop;
  if wanted ? 'since' then sql := sql || format(' and j.made_at >= %L::timestamptz', fitter.time_in(wanted ->> 'since')); end if;
  if wanted ? 'until' then sql := sql || format(' and j.made_at < %L::timestamptz', fitter.time_in(wanted ->> 'until')); end if;
  if wanted ? 'after' then
    sql := sql || format(' and (j.made_at, j.id) < (select k.made_at, k.id from fitter.job k where k.team_id = $1 and k.id = %L)', left(wanted ->> 'after', 40));
  end if;
  return query execute sql || format(' order by j.made_at desc, j.id desc limit %s', most) using team;
end $$;

alter table fitter.team enable row level security;
alter table fitter.laptop enable row level security;
alter table fitter.job enable row level security;
alter table fitter.entry enable row level security;
alter table fitter.fork enable row level security;
alter table fitter.content enable row level security;
alter table fitter.piece enable row level security;
create policy own_team on fitter.team for select using (id = (select fitter.my_team()));
create policy own_team on fitter.laptop for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.job for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.entry for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.fork for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.content for select using (team_id = (select fitter.my_team()) and whole_at is not null);
create policy own_team on fitter.piece for select using (team_id = (select fitter.my_team()));

do $$ begin
  if not exists (select from pg_roles where rolname = 'fitter_reads') then create role fitter_reads nologin; end if;
  if not exists (select from pg_roles where rolname = 'fitter_writes') then create role fitter_writes nologin; end if;
end $$;
grant fitter_reads to fitter_writes;
revoke all on schema fitter from public;
revoke all on all tables in schema fitter from public;
revoke all on all functions in schema fitter from public;
grant usage on schema fitter to fitter_reads;
grant select on fitter.migration, fitter.team, fitter.laptop, fitter.job, fitter.entry, fitter.fork, fitter.content, fitter.piece to fitter_reads;
grant execute on function fitter.my_laptop(), fitter.my_team(), fitter.join_team(uuid), fitter.leave_team(), fitter.missing(text[]), fitter.find_jobs(jsonb, int) to fitter_reads;
grant execute on function fitter.append(jsonb, text[], text[]), fitter.keep_piece(text, text, bigint, int, bytea), fitter.close_content(text) to fitter_writes;
`
