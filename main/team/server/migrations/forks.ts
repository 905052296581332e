/**
 * Another log of a job beside that of the team, and how a person settles it: the laptop that has the other log sets it
 * aside and goes on with the team's. Nothing of either log is changed or removed. A settlement says who settled it,
 * when and why.
 */
export const forks = String.raw`
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

create table fitter.settlement (
  team_id uuid not null,
  job_id text not null,
  -- The last entry of the other log.
  seq bigint not null,
  hash text not null,
  settled_by uuid not null references fitter.laptop (id),
  settled_at timestamptz not null default now(),
  reason text not null check (length(reason) between 3 and 500),
  primary key (team_id, job_id, hash, settled_by),
  -- It goes with its fork, when the owner no longer keeps the job.
  foreign key (team_id, job_id, seq, hash) references fitter.fork (team_id, job_id, seq, hash) on delete cascade
);

-- Keeps entries of another log of a job. Each laptop has room of its own, so that none can use up that of the others; also one that
-- never held the job may have such a log, where its data folder came from a backup of another one.
create function fitter.keep_branch(me fitter.laptop, own fitter.job, seqs bigint[], texts text[], hashes text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into fitter.fork (team_id, job_id, seq, text, hash, pushed_by)
    select me.team_id, own.id, one.seq, one.text, one.hash, me.id from unnest(seqs, texts, hashes) as one (seq, text, hash) on conflict do nothing;
  if (select count(*) from fitter.fork f where f.team_id = me.team_id and f.job_id = own.id and f.pushed_by = me.id) > 10000 then
    raise exception 'more than is kept of another log' using errcode = 'FT012';
  end if;
end $$;

create function fitter.keep_fork(wanted text, texts text[], hashes text[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  me fitter.laptop := fitter.writer();
  own fitter.job;
  given int := coalesce(cardinality(texts), 0);
  first_seq bigint;
  before_first text;
  is_row boolean;
  fits boolean;
begin
  if wanted is null or given = 0 or given is distinct from cardinality(hashes)
    or array_ndims(texts) <> 1 or array_ndims(hashes) <> 1 or array_lower(texts, 1) <> 1 or array_lower(hashes, 1) <> 1 then
    raise exception 'not the form of a push' using errcode = 'FT006';
  end if;
  if array_position(texts, null) is not null or array_position(hashes, null) is not null then raise exception 'not the form of a push' using errcode = 'FT006'; end if;
  if given > 2000 or pg_column_size(texts) > 16000000 then raise exception 'more than one call may carry' using errcode = 'FT005'; end if;
  begin
    first_seq := (replace(texts[1], '\u', '/u')::json ->> 'seq')::bigint;
    select bool_and((replace(one.text, '\u', '/u')::json ->> 'seq')::bigint is not distinct from first_seq + n - 1) into is_row from unnest(texts) with ordinality as one (text, n);
  exception when data_exception or statement_too_complex then
    raise exception 'not the form of an entry' using errcode = 'FT006';
  end;
  if first_seq is null or first_seq not between 1 and 1000000000 then raise exception 'not the form of an entry' using errcode = 'FT006'; end if;
  if not is_row then raise exception 'entries are missing' using errcode = 'FT004'; end if;
  if exists (select from unnest(texts) text where not fitter.is_entry(text)) then raise exception 'not the form of an entry' using errcode = 'FT006'; end if;
  select * into own from fitter.job j where j.team_id = me.team_id and j.id = wanted for update;
  if own.id is null then raise exception 'no such job' using errcode = 'FT009'; end if;

  -- From which entry it goes on: its text and its hash tell.
  select f.hash into before_first from fitter.fork f where f.team_id = me.team_id and f.job_id = own.id and f.seq = first_seq - 1
    and hashes[1] = encode(sha256(convert_to(f.hash || texts[1], 'UTF8')), 'hex');
  if before_first is null then
    if first_seq > own.head_seq then raise exception 'entries are missing' using errcode = 'FT004', detail = own.head_seq::text; end if;
    if first_seq = 1 then before_first := encode(sha256(convert_to(own.id, 'UTF8')), 'hex');
    else select e.hash into before_first from fitter.entry e where e.month = own.month and e.team_id = me.team_id and e.job_id = own.id and e.seq = first_seq - 1;
    end if;
  end if;
  select bool_and(one.hash is not distinct from encode(sha256(convert_to(one.before || one.text, 'UTF8')), 'hex')) into fits
    from unnest(texts, hashes, array[before_first] || hashes[:given - 1]) as one (text, hash, before);
  if fits is not true then raise exception 'a hash does not fit' using errcode = 'FT003'; end if;
  if exists (select from fitter.entry e where e.month = own.month and e.team_id = me.team_id and e.job_id = own.id and e.seq = first_seq and e.hash = hashes[1]) then
    raise exception 'this is no fork' using errcode = 'FT006';
  end if;
  perform fitter.keep_branch(me, own, array_agg(first_seq + n - 1 order by n), array_agg(one.text order by n), array_agg(one.hash order by n)) from unnest(texts, hashes) with ordinality as one (text, hash, n);
  perform fitter.spend(me.id, pg_column_size(texts));
end $$;

-- The laptop that calls has set its log up to this entry aside. Said once: what was said first stays.
create function fitter.settle_fork(wanted text, last_hash text, why text) returns table (settled_at timestamptz, reason text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  me fitter.laptop := fitter.writer();
  other fitter.fork;
begin
  if why is null or length(btrim(why)) not between 3 and 500 then raise exception 'a reason is needed' using errcode = 'FT006'; end if;
  select f.* into other from fitter.fork f where f.team_id = me.team_id and f.job_id = wanted and f.hash = last_hash;
  if other.hash is null then raise exception 'no such fork' using errcode = 'FT009'; end if;
  insert into fitter.settlement (team_id, job_id, seq, hash, settled_by, reason) values (me.team_id, other.job_id, other.seq, other.hash, me.id, btrim(why)) on conflict do nothing;
  if found then
    perform fitter.tell(me.team_id, other.job_id);
    perform fitter.spend(me.id, 20000);
  end if;
  return query select s.settled_at, s.reason from fitter.settlement s where s.team_id = me.team_id and s.job_id = other.job_id and s.hash = other.hash and s.settled_by = me.id;
end $$;
`
