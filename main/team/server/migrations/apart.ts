/**
 * What one laptop writes cannot remove, block or use up what another one writes: contents are given by each laptop for
 * itself, prepared jobs have room of their own for each laptop and are begun and withdrawn only by who may, new words
 * wait for nobody, and an id belongs to the log that it was made for.
 */
export const apart = String.raw`
-- Contents: each laptop gives its own pieces, and only it closes them. What is whole of one is whole for all. Those of before are
-- nobody's; what was not whole is given again.
alter table fitter.piece drop constraint piece_team_id_sha256_fkey;
delete from fitter.piece p using fitter.content c where c.team_id = p.team_id and c.sha256 = p.sha256 and c.whole_at is null;
delete from fitter.content c where c.whole_at is null;
alter table fitter.content add column laptop_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table fitter.content alter column laptop_id drop default;
alter table fitter.piece add column laptop_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table fitter.piece alter column laptop_id drop default;
alter table fitter.piece drop constraint piece_pkey;
alter table fitter.content drop constraint content_pkey;
alter table fitter.content add primary key (team_id, sha256, laptop_id);
alter table fitter.piece add primary key (team_id, sha256, laptop_id, number);
alter table fitter.piece add foreign key (team_id, sha256, laptop_id) references fitter.content (team_id, sha256, laptop_id);

-- From whom a content is read: two may have given the same at the same moment.
create function fitter.whole_from(hash text) returns uuid language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select c.laptop_id from fitter.content c where c.team_id = fitter.my_team() and c.sha256 = hash and c.whole_at is not null order by c.whole_at, c.laptop_id limit 1 $$;

drop policy own_team on fitter.content;
create policy own_team on fitter.content for select using (team_id = (select fitter.my_team()) and laptop_id = fitter.whole_from(sha256));
drop policy own_team on fitter.piece;
create policy own_team on fitter.piece for select using (team_id = (select fitter.my_team()) and laptop_id = fitter.whole_from(sha256));

-- By its first bytes; what they do not tell is as its laptop says.
create function fitter.kind_of(first bytea, said text) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case when substr(first, 1, 3) = '\xffd8ff' then 'image/jpeg' when substr(first, 1, 8) = '\x89504e470d0a1a0a' then 'image/png' when substr(first, 1, 1) in ('{', '[') then 'application/json' else said end
$$;

create or replace function fitter.keep_piece(hash text, media_type text, size_bytes bigint, number int, bytes bytea) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare me fitter.laptop := fitter.writer();
begin
  if number < 0 or number > 250 or length(bytes) > 262144 then raise exception 'more than one call may carry' using errcode = 'FT005'; end if;
  if exists (select from fitter.content c where c.team_id = me.team_id and c.sha256 = hash and c.whole_at is not null) then return; end if;
  insert into fitter.content as c (team_id, sha256, laptop_id, media_type, size_bytes) values (me.team_id, hash, me.id, media_type, size_bytes)
    on conflict on constraint content_pkey do update set media_type = excluded.media_type, size_bytes = excluded.size_bytes where c.whole_at is null and (c.media_type, c.size_bytes) is distinct from (excluded.media_type, excluded.size_bytes);
  insert into fitter.piece as p (team_id, sha256, laptop_id, number, bytes) values (me.team_id, hash, me.id, number, bytes)
    on conflict on constraint piece_pkey do update set bytes = excluded.bytes;
exception when check_violation or not_null_violation then
  raise exception 'not the form of a picture' using errcode = 'FT006';
end $$;

-- Says whether all of it is there. What does not fit its hash, or is not cut as every laptop reads it, is taken away, so that its
-- laptop can give it again.
create or replace function fitter.close_content(hash text) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop := fitter.writer();
  own fitter.content;
  is_there boolean := exists (select from fitter.content c where c.team_id = me.team_id and c.sha256 = hash and c.whole_at is not null);
  fits boolean := false;
begin
  select * into own from fitter.content c where c.team_id = me.team_id and c.sha256 = hash and c.laptop_id = me.id for update;
  if own.sha256 is null or own.whole_at is not null then return is_there or own.whole_at is not null; end if;
  if not is_there then
    select coalesce(encode(sha256(string_agg(p.bytes, ''::bytea order by p.number)), 'hex') = hash and sum(length(p.bytes)) = own.size_bytes
        and bool_and(length(p.bytes) = least(262144, own.size_bytes - p.number * 262144::bigint)), false)
      into fits from fitter.piece p where p.team_id = me.team_id and p.sha256 = hash and p.laptop_id = me.id;
  end if;
  if fits then
    update fitter.content c set whole_at = now(), media_type = fitter.kind_of((select p.bytes from fitter.piece p where p.team_id = me.team_id and p.sha256 = hash and p.laptop_id = me.id and p.number = 0), c.media_type)
      where c.team_id = me.team_id and c.sha256 = hash and c.laptop_id = me.id;
  else
    delete from fitter.piece p where p.team_id = me.team_id and p.sha256 = hash and p.laptop_id = me.id;
    delete from fitter.content c where c.team_id = me.team_id and c.sha256 = hash and c.laptop_id = me.id;
  end if;
  return is_there or fits;
end $$;

-- Prepared jobs: each laptop has room of its own.
create index assignment_maker on fitter.assignment (made_by) where begun_at is null and withdrawn_at is null;

create or replace function fitter.assign(wanted jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop := fitter.writer();
  mine uuid[] := fitter.my_logins();
  most constant int := 20000;
  receiver fitter.laptop;
begin
  if jsonb_typeof(wanted) is distinct from 'object' or jsonb_typeof(wanted -> 'what') is distinct from 'object' or wanted ->> 'id' is null or wanted ->> 'id' !~ '^[0-9A-Za-z-]{1,40}$' then
    raise exception 'not the form of a prepared job' using errcode = 'FT006';
  end if;
  if octet_length(wanted::text) > 200000 then raise exception 'more than one call may carry' using errcode = 'FT005'; end if;
  if coalesce(wanted ->> 'to', '') <> '' then
    select * into receiver from fitter.laptop l where l.team_id = me.team_id and l.name = wanted ->> 'to' and l.may_write and l.left_at is null limit 1;
    if receiver.id is null then raise exception 'no such laptop' using errcode = 'FT007'; end if;
  end if;
  if not exists (select from fitter.assignment a where a.team_id = me.team_id and a.id = wanted ->> 'id')
    and (select count(*) from (select from fitter.assignment a where a.made_by = any (mine) and a.begun_at is null and a.withdrawn_at is null limit most) open) >= most then
    raise exception 'enough prepared jobs of one laptop' using errcode = 'FT015', detail = most;
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
-- whoever begins them, as many of each who prepares, so that none fills what a laptop keeps. With ids: these, whatever became of them.
create or replace function fitter.assignments(wanted jsonb, most int)
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
  if known is null then
    if after_id is not null then select coalesce(a.due_at, 'infinity') into after_at from fitter.assignment a where a.team_id = team and a.id = after_id; end if;
    if is_mine then
      known := array(select o.id from (
        select a.id, coalesce(a.due_at, 'infinity') as due, row_number() over (partition by a.made_by order by coalesce(a.due_at, 'infinity'), a.id) as place from fitter.assignment a
        where a.team_id = team and a.begun_at is null and a.withdrawn_at is null and (a.to_laptop is null or a.to_laptop = me) and (after_id is null or (coalesce(a.due_at, 'infinity'), a.id) > (after_at, after_id))
      ) o order by o.place, o.due, o.id limit most);
    else
      known := array(select a.id from fitter.assignment a where a.team_id = team and a.begun_at is null and a.withdrawn_at is null and (after_id is null or (coalesce(a.due_at, 'infinity'), a.id) > (after_at, after_id))
        order by coalesce(a.due_at, 'infinity'), a.id limit most);
    end if;
  end if;
  return query
    select a.id, m.name::text, a.made_at, coalesce(r.name::text, ''), a.due_at, a.what, a.begun_at, b.name::text, a.begun_job, a.withdrawn_at, w.name::text
    from fitter.assignment a
      join fitter.laptop m on m.id = a.made_by
      left join fitter.laptop r on r.id = a.to_laptop
      left join fitter.laptop b on b.id = a.begun_by
      left join fitter.laptop w on w.id = a.withdrawn_by
    where a.team_id = team and a.id = any (known) order by coalesce(a.due_at, 'infinity'), a.id limit most;
end $$;

-- Whether the caller began this job, by its log here: it is of the caller or of its data folder, and was started from this prepared one.
create function fitter.has_begun(me fitter.laptop, prepared text, job text) returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (select from fitter.job j join fitter.entry e on e.month = j.month and e.team_id = j.team_id and e.job_id = j.id and e.seq = 1 cross join lateral (select fitter.read_entry(e.text) -> 'data' as data) said
    where j.team_id = me.team_id and j.id = job and said.data -> 'prepared' ->> 'id' = prepared
      and (e.pushed_by = any ((select fitter.my_logins())::uuid[]) or said.data ->> 'folder' = encode(sha256(convert_to(me.data_folder::text, 'UTF8')), 'hex')))
$$;

-- A job was begun from it, maybe long ago and without the server. It belongs to the first who says so; the others are told. No row is
-- locked for who may not begin it.
create or replace function fitter.begin_assignment(wanted text, job_id text) returns table (outcome text, by_name text, at timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop := fitter.writer();
  one fitter.assignment;
begin
  if job_id is null or job_id !~ '^[0-9A-Za-z-]{1,40}$' then raise exception 'not the form of a job' using errcode = 'FT006'; end if;
  select * into one from fitter.assignment a where a.team_id = me.team_id and a.id = wanted;
  if one.id is null then
    return query select 'none', '', now();
    return;
  elsif one.to_laptop is not null and one.to_laptop <> me.id and one.begun_at is null then
    return query select 'forOther', (select l.name::text from fitter.laptop l where l.id = one.to_laptop), one.made_at;
    return;
  elsif one.begun_at is null then
    if not fitter.has_begun(me, wanted, job_id) then raise exception 'its job is not there yet' using errcode = 'FT004'; end if;
    select * into one from fitter.assignment a where a.team_id = me.team_id and a.id = wanted for update;
  end if;
  if one.begun_at is not null then
    return query select case when one.begun_by = me.id and one.begun_job = job_id then 'begun' else 'begunBefore' end, (select l.name::text from fitter.laptop l where l.id = one.begun_by), one.begun_at;
  else
    update fitter.assignment a set begun_at = now(), begun_by = me.id, begun_job = job_id where a.team_id = me.team_id and a.id = wanted;
    perform fitter.tell(me.team_id, 'assigned');
    return query select case when one.withdrawn_at is null then 'begun' else 'withdrawn' end, (select l.name::text from fitter.laptop l where l.id = coalesce(one.withdrawn_by, me.id)), coalesce(one.withdrawn_at, now());
  end if;
end $$;

-- Takes it back: whoever has prepared it, or a lead; anybody, once that laptop has left. What was begun stays.
create or replace function fitter.withdraw_assignment(wanted text) returns table (outcome text, by_name text) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me fitter.laptop := fitter.writer();
  one fitter.assignment;
begin
  select * into one from fitter.assignment a where a.team_id = me.team_id and a.id = wanted;
  if one.id is not null and one.begun_at is null then
    if not (me.is_lead or one.made_by = any (fitter.my_logins()) or exists (select from fitter.laptop l where l.id = one.made_by and l.left_at is not null)) then
      raise exception 'somebody else has prepared this one' using errcode = 'FT002', detail = (select l.name::text from fitter.laptop l where l.id = one.made_by);
    end if;
    select * into one from fitter.assignment a where a.team_id = me.team_id and a.id = wanted for update;
  end if;
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

-- Words: whoever brings a new one waits for nobody who brings it too. Two at the same moment leave it twice, and it is found once.
alter table fitter.word drop constraint word_pkey;
create index word_there on fitter.word (team_id, word);

create or replace function fitter.keep_words(team uuid, given text) returns void language sql set search_path = pg_catalog, pg_temp as $$
  insert into fitter.word (team_id, word) select team, one from (select distinct one from unnest(string_to_array(given, ' ')) one where length(one) between 4 and 40) known
    where not exists (select from fitter.word w where w.team_id = team and w.word = one)
$$;

create or replace function fitter.nearly_having(team uuid, given text, out seen text, out sought text) language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  trgm text;
  meant text[];
  imeis text[] := array[]::text[];
  words text[];
  is_inside boolean;
begin
  if given ~ '[0-9]' and length(given) >= 4 then
    meant := array(select fitter.typed_as(left(given, 40)));
    words := array(select distinct w.word from fitter.word w where w.team_id = team and w.word = any (meant) order by w.word limit 12);
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
            select distinct w.word, %1$s.similarity(w.word, $2) as near from fitter.word w where w.team_id = $1 and w.word operator(%1$s.%%) $2 and w.word !~ '[0-9]' order by near desc, w.word limit 12
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

-- Ids: one that begins with 8 to F was made of the first entry of its log (store/jobs/jobId.ts), and is of no other log.
create function fitter.is_id_of(id text, first text) returns boolean language sql immutable set search_path = pg_catalog, pg_temp as $$
  select id !~ '^[89A-F][0-9A-HJKMNP-TV-Z]{25}$' or substr(id, 11) = (
    select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((made.bits << n * 5)::bit(5))::int + 1, 1), '' order by n)
    from (select ('x' || left(encode(sha256(convert_to(first, 'UTF8')), 'hex'), 20))::bit(80) as bits offset 0) made, generate_series(0, 15) n)
$$;

create function fitter.assert_id() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not fitter.is_id_of(new.job_id, new.text) then raise exception 'this id is of another log' using errcode = '22FT3'; end if;
  return null;
end $$;

create trigger assert_id after insert on fitter.entry for each row when (new.seq = 1) execute function fitter.assert_id();
create trigger assert_id after insert on fitter.fork for each row when (new.seq = 1) execute function fitter.assert_id();
`
