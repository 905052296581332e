/**
 * Tables of the log, who a laptop is, and what it has pushed. Laptops read rows of their own team (access.ts);
 * everything they write goes through functions that check it, and only the owner of the schema can change or delete
 * anything.
 *
 * A function refuses with an SQL state of its own (class FT), which the client reads (../failures.ts): FT001 not a
 * laptop of a team, or one that only reads; FT002 someone else holds the job; FT003 a hash does not match; FT004
 * earlier entries are missing; FT005 more than one call may carry; FT006 not the agreed form; FT007 no such laptop;
 * FT008 withdrawn; FT009 no such job, offer or team;
 * FT010 more than a laptop may push in a day; FT011 a job that the company no longer keeps; FT012 more of another log
 * of a job than is kept; FT013 its holder works on the job (detail: who, and for how many seconds still); FT014 an
 * invitation that has expired; FT015 more prepared jobs than one laptop may have open (detail: how many). 22FT3: an id
 * that was made for another log; it is of class 22, so that of many jobs only this one is refused.
 */
export const log = String.raw`
-- Where somebody else has put it, it is used there.
create extension if not exists pg_trgm with schema fitter;

select set_config('search_path', 'pg_catalog, ' || (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm'), true);
create table fitter.team (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (length(name) between 1 and 200),
  -- Whoever may connect may listen: nobody guesses this one.
  channel text not null default 'fitter_' || replace(gen_random_uuid()::text, '-', ''),
  -- The most that one laptop may push in a day, so that a faulty or stolen one cannot fill the disk overnight. The owner may change it.
  most_bytes_a_day bigint not null default 20000000000,
  -- A job on which its holder worked within this time is taken over only by a lead. The owner may change it.
  take_over_after interval not null default '10 minutes',
  made_at timestamptz not null default now()
);

create table fitter.laptop (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references fitter.team (id),
  login name not null unique,
  name text not null check (length(name) between 1 and 200),
  may_write boolean not null,
  -- May take over a job at any time.
  is_lead boolean not null default false,
  invited_at timestamptz not null default now(),
  -- The data folder that joined with this login; another one with the same login is told so.
  data_folder uuid,
  joined_at timestamptz,
  left_at timestamptz,
  pushed_at timestamptz,
  -- How much it has pushed on this day.
  given_on date,
  given_bytes bigint not null default 0
-- Its row changes with every push, and never in a column that an index has.
) with (fillfactor = 50);

create index laptop_team on fitter.laptop (team_id);
create unique index laptop_name on fitter.laptop (team_id, name) where left_at is null;
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
  -- What an index looks for: it changes every ten minutes at most, and in between the row is changed in place.
  changed_in timestamptz not null generated always as (date_bin('10 minutes', changed_at, timestamptz '2000-01-01 00:00:00+00')) stored,
  -- As its list shows it; what others make of it they check.
  shown jsonb,
  words text not null default '',
  -- Of the gateway; empty where none is known.
  vehicle_id text not null default '',
  needs_help boolean not null default false,
  -- Steps that were skipped, and that failed or could not be read.
  skipped int not null default 0,
  failed int not null default 0,
  -- Null while it is open.
  ended_at timestamptz,
  -- Whether every step passed at the first attempt; null while the job is open or nobody has counted.
  is_first_time boolean,
  head_type text not null default '',
  -- The hand-over in which it left its holder; null while somebody holds it.
  left_in text,
  offered_in text,
  -- The gateway work of its holder as of the last push, for whoever takes the job over.
  work jsonb,
  is_held_by_law boolean not null default false,
  primary key (team_id, id)
-- Room for the next version of a row beside it.
) with (fillfactor = 70);

create index job_holder on fitter.job (holder);
create index job_left on fitter.job (team_id, left_in) where left_in is not null;
create index job_changed on fitter.job (team_id, changed_in);
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

-- Jobs that the company no longer keeps, as far as their laptops have to know: nothing of them is asked for or taken again.
create table fitter.dropped (
  team_id uuid not null references fitter.team (id),
  id text not null,
  head_seq bigint not null,
  head_hash text not null,
  dropped_at timestamptz not null default now(),
  primary key (team_id, id)
);

-- Pictures, checklists and profiles, by the SHA-256 of all their bytes.
create table fitter.content (
  team_id uuid not null references fitter.team (id),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  media_type text not null check (media_type in ('image/jpeg', 'image/png', 'application/json')),
  size_bytes bigint not null check (size_bytes between 0 and 64000000),
  -- Null until every piece is there and their hash fits.
  whole_at timestamptz,
  kept_at timestamptz not null default now(),
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

-- The logins of the caller: its own, and those that its data folder had before it was invited again.
create function fitter.my_logins() returns uuid[] language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select array_agg(o.id) from fitter.laptop me join fitter.laptop o on o.team_id = me.team_id and (o.id = me.id or (o.data_folder = me.data_folder and o.left_at is not null)) where me.id = fitter.my_laptop()
$$;

create function fitter.writer() returns fitter.laptop language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare me fitter.laptop;
begin
  select * into me from fitter.laptop where login = session_user and left_at is null;
  if me.id is null then raise exception 'not a laptop of a team' using errcode = 'FT001'; end if;
  if not me.may_write then raise exception 'this login only reads' using errcode = 'FT001'; end if;
  return me;
end $$;

-- A data folder that left and was invited again goes on with its own jobs.
create function fitter.join_team(folder uuid) returns table (team text, laptop text, channel text, may_write boolean, is_taken boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop;
  before uuid;
begin
  -- A laptop asks this with each new connection: no lock for that.
  return query select t.name, l.name, t.channel, l.may_write, false from fitter.laptop l join fitter.team t on t.id = l.team_id
    where l.login = session_user and l.left_at is null and l.data_folder = folder;
  if found then return; end if;
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

create function fitter.leave_team() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update fitter.laptop set left_at = now() where login = session_user and left_at is null;
end $$;

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
-- Anybody may fill the queue of news, and a full one would undo what tells something.
create function fitter.tell(team uuid, job text) returns void language sql set search_path = pg_catalog, pg_temp
  as $$ select pg_notify(t.channel, job) from fitter.team t where t.id = team and pg_notification_queue_usage() < 0.5 $$;

-- A new month takes no lock that a reader could keep: no advisory one, and none that waits for readers. Those of a year are made
-- before they begin, by whoever can without waiting, so that nobody who is slow about it keeps the others from pushing, also
-- where nobody pushed for months.
create function fitter.keep_month(wanted date) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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

-- A time as a laptop wrote it; null for what is none.
create function fitter.time_in(given text) returns timestamptz language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return given::timestamptz;
exception when data_exception then return null;
end $$;

create function fitter.count_in(given jsonb) returns int language sql immutable set search_path = pg_catalog, pg_temp
  as $$ select case when jsonb_typeof(given) = 'number' then least(greatest(given::numeric, 0), 1000)::int else 0 end $$;

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
`
