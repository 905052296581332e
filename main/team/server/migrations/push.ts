/**
 * The one door for entries: `append` for one job, `append_jobs` for many in one call. A laptop with years of work needs
 * a fraction of the round trips, commits and index writes that way. Each job is checked as `append` checks one, and is
 * answered for itself.
 */
export const push = String.raw`
-- Whose a job is that this server does not have, by its log: the data folder that created it, or that it moved to last, where the log
-- says so and a laptop of the team has it. A server that was set back knows nothing else of it. With the take-over by which it came to
-- the caller.
create function fitter.whose_log(me fitter.laptop, texts text[], hashes text[], out is_of_other boolean, out taken_from uuid, out reason text, out taken_seq bigint, out taken_hash text)
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  last record;
begin
  select one.n, fitter.read_entry(one.text) -> 'data' as data into last from unnest(texts) with ordinality as one (text, n)
    where one.text like '%"type":"movedHere"}' or one.text like '%"type":"jobCreated"}' order by one.n desc limit 1;
  is_of_other := exists (select from fitter.laptop l where l.team_id = me.team_id and l.left_at is null and l.id <> me.id and l.data_folder is distinct from me.data_folder
    and encode(sha256(convert_to(l.data_folder::text, 'UTF8')), 'hex') = last.data ->> 'folder');
  if last.n > 1 and last.data ->> 'isTakenOver' = 'true' then
    select l.id into taken_from from fitter.laptop l where l.team_id = me.team_id and l.id <> me.id and l.name = last.data ->> 'from' order by l.left_at desc nulls first limit 1;
    reason := left(coalesce(last.data ->> 'reason', ''), 500);
    taken_seq := last.n - 1;
    taken_hash := hashes[last.n - 1];
  end if;
end $$;

-- What lists show of a job, out of what its holder sums up.
create function fitter.as_listed(summary jsonb)
returns table (kind text, state text, template text, imei text, model text, vehicle text, plate text, customer text, technician text, made_at timestamptz, shown jsonb, words text, work jsonb)
language sql stable as $$
  select left(coalesce(summary ->> 'kind', ''), 40), left(coalesce(summary ->> 'state', ''), 40), left(coalesce(summary ->> 'template', ''), 200),
    left(coalesce(summary ->> 'imei', ''), 40), left(coalesce(summary ->> 'model', ''), 200), left(coalesce(summary ->> 'vehicle', ''), 400),
    left(coalesce(summary ->> 'plate', ''), 100), left(coalesce(summary ->> 'customer', ''), 400), left(coalesce(summary ->> 'technician', ''), 400),
    (select least(now() + interval '1 day', said) from fitter.time_in(summary ->> 'madeAt') said where said is not null), case when jsonb_typeof(summary -> 'shown') = 'object' then summary -> 'shown' end,
    left(coalesce(summary ->> 'words', ''), 4000), case when jsonb_typeof(summary -> 'work') = 'array' then summary -> 'work' end
$$;

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
  last_seq bigint;
  before_first text;
  gone fitter.dropped;
  is_row boolean;
  fits boolean;
  fork_from bigint;
  next_one json;
  last_one json;
  last_type text;
  whose record;
  is_new boolean := false;
  -- Its laptop knows that somebody else has taken it over.
  is_given_up constant boolean := coalesce(summary ->> 'isElsewhere' = 'true', false);
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
  if exists (select from unnest(texts) text where not fitter.is_entry(text)) then raise exception 'not the form of an entry' using errcode = 'FT006'; end if;
  last_seq := first_seq + given - 1;

  select * into own from fitter.job where team_id = me.team_id and id = job_id for update;
  if not found then
    select * into gone from fitter.dropped where team_id = me.team_id and id = job_id;
    if gone.id is not null then
      if last_seq > gone.head_seq or (last_seq = gone.head_seq and hashes[given] is distinct from gone.head_hash) then raise exception 'no longer kept' using errcode = 'FT011'; end if;
      return query select first_seq + n - 1, one.hash, 'known' from unnest(hashes) with ordinality as one (hash, n);
      return;
    end if;
    select * into whose from fitter.whose_log(me, texts, hashes);
    if whose.is_of_other then raise exception 'somebody else holds this job' using errcode = 'FT002'; end if;
    insert into fitter.job (team_id, id, holder, head_hash) values (me.team_id, job_id, case when not is_given_up then me.id end, encode(sha256(convert_to(job_id, 'UTF8')), 'hex')) on conflict do nothing;
    is_new := found;
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
    perform fitter.keep_branch(me, own, array_agg(first_seq + n - 1 order by n), array_agg(one.text order by n), array_agg(one.hash order by n))
      from unnest(texts, hashes) with ordinality as one (text, hash, n) where first_seq + n - 1 >= fork_from;
    perform fitter.spend(me.id, pg_column_size(texts));
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
    if own.holder is distinct from me.id and not is_new then raise exception 'somebody else holds this job' using errcode = 'FT002'; end if;
    insert into fitter.entry (team_id, month, job_id, seq, text, hash, pushed_by)
      select me.team_id, own.month, own.id, first_seq + n - 1, one.text, one.hash, me.id from unnest(texts, hashes) with ordinality as one (text, hash, n)
      where first_seq + n - 1 > own.head_seq;
  end if;
  -- Whoever holds it says how it is listed, and only with its last entry: an older push that comes again changes nothing.
  if (own.holder = me.id or is_new) and last_seq >= own.head_seq then
    update fitter.job j set
      -- Once it has left, nobody holds it. One that came back without a word yet (an offer withdrawn) stays where it is.
      holder = case when last_seq > own.head_seq and last_type = 'movedAway' or is_new and is_given_up then null else me.id end,
      left_in = case when last_type = 'movedAway' then left(last_one -> 'data' ->> 'id', 40) end,
      head_seq = last_seq, head_hash = hashes[given], head_type = last_type,
      kind = l.kind, state = l.state, template = l.template, imei = l.imei, model = l.model, vehicle = l.vehicle, plate = l.plate, customer = l.customer, technician = l.technician,
      made_at = coalesce(l.made_at, j.made_at), changed_at = now(), shown = l.shown, words = l.words, work = l.work
    from fitter.as_listed(summary) l where j.team_id = me.team_id and j.id = own.id;
    -- The take-over was lost with the rest: whoever had the job before is told.
    if is_new and not is_given_up then
      insert into fitter.handover (team_id, id, kind, from_laptop, to_laptop, reason, jobs, taken_at, taken_by)
        select me.team_id, gen_random_uuid()::text, 'takenOver', whose.taken_from, me.id, whose.reason, jsonb_build_array(jsonb_build_object('id', own.id, 'seq', whose.taken_seq, 'hash', whose.taken_hash)), now(), me.id
        where whose.taken_from is not null;
    end if;
  end if;
  perform fitter.spend(me.id, pg_column_size(summary) + case when last_seq > own.head_seq then pg_column_size(texts) else 0 end);
  -- Commits that tell something wait for each other: what is pushed in bulk is found by looking.
  if given <= 20 then perform fitter.tell(me.team_id, own.id); end if;
  return query select first_seq + n - 1, one.hash, case when first_seq + n - 1 <= own.head_seq then 'known' else 'added' end from unnest(hashes) with ordinality as one (hash, n);
end $$;

create function fitter.add_jobs(me fitter.laptop, summaries text[], of_job int[], texts text[], hashes text[], out taken int[], out seqs bigint[], out lasts text[], out bytes bigint)
-- How many there are of each is not known to whoever plans it: one loop in another would be all of them for each. What that makes of
-- its cost is no reason to compile it: that would take a hundred times as long as it does.
language plpgsql set search_path = pg_catalog, pg_temp set enable_nestloop = off set jit = off as $$
#variable_conflict use_column
declare
  own_folder text := encode(sha256(convert_to(me.data_folder::text, 'UTF8')), 'hex');
  read jsonb[];
  ids text[];
  there text[];
begin
  read := array(select s.text::jsonb from unnest(summaries) with ordinality as s (text, n) order by s.n);
  ids := array(select s.summary ->> 'id' from unnest(read) s (summary));
  -- Those that are there, in the order of their ids, before anything else is locked.
  there := array(select j.id from fitter.job j where j.team_id = me.team_id and j.id = any (ids) order by j.id for update);
  there := there || array(select d.id from fitter.dropped d where d.team_id = me.team_id and d.id = any (ids));
  perform fitter.keep_month(date_trunc('month', now() at time zone 'UTC')::date);
  -- Into variables, and no row of an answer: those would stay when this is undone.
  with listed as materialized (
    -- Named twice, the second comes after the first.
    select distinct on (one.id) one.n, one.id, one.summary, one.size from (select s.n, s.summary, s.summary ->> 'id' as id, pg_column_size(s.summary) as size from unnest(read) with ordinality as s (summary, n)) one
    where jsonb_typeof(one.summary) = 'object' and one.summary ->> 'isElsewhere' is null and one.id ~ '^[0-9A-Za-z-]{1,40}$' and one.id <> all (there) order by one.id, one.n
  ), said as materialized (
    select e.job, row_number() over of_one as seq, e.text, e.hash, lag(e.hash) over of_one as before, (replace(e.text, '\u', '/u')::json ->> 'seq')::bigint as said_seq
    from unnest(of_job, texts, hashes) with ordinality as e (job, text, hash, n) window of_one as (partition by e.job order by e.n)
  ), fitting as (
    select l.n, max(s.seq) as last_seq, sum(octet_length(s.text)) as bytes from listed l join said s on s.job = l.n where l.size <= 1000000 group by l.n
    -- Whose it is otherwise, append finds out.
    having max(s.seq) <= 2000 and bool_and(s.text not like '%"type":"movedHere"}' and (s.seq > 1 or coalesce(fitter.read_entry(s.text) -> 'data' ->> 'folder' = own_folder, true))) and bool_and(fitter.is_entry_at_sight(s.text) and s.said_seq is not distinct from s.seq
      and s.hash is not distinct from encode(sha256(convert_to(case when s.seq = 1 then encode(sha256(convert_to(l.id, 'UTF8')), 'hex') else s.before end || s.text, 'UTF8')), 'hex'))
  ), whole as materialized (
    select l.n, l.id, l.summary, f.last_seq, f.bytes + l.size as bytes, s.hash as last_hash, replace(s.text, '\u', '/u')::json as last_one
    from fitting f join listed l on l.n = f.n join said s on s.job = f.n and s.seq = f.last_seq
  ), made as (
    insert into fitter.job (team_id, id, holder, left_in, head_seq, head_hash, head_type, kind, state, template, imei, model, vehicle, plate, customer, technician, made_at, shown, words, work)
      select me.team_id, w.id, case when last.type = 'movedAway' then null else me.id end, case when last.type = 'movedAway' then left(w.last_one -> 'data' ->> 'id', 40) end, w.last_seq, w.last_hash, last.type,
        l.kind, l.state, l.template, l.imei, l.model, l.vehicle, l.plate, l.customer, l.technician, coalesce(l.made_at, now()), l.shown, l.words, l.work
      from whole w cross join lateral fitter.as_listed(w.summary) l cross join lateral (select left(coalesce(w.last_one ->> 'type', ''), 60) as type) last
      -- In order, so that two who bring the same jobs wait for each other and never both.
      order by w.id on conflict do nothing returning id, month
  ), kept as (
    insert into fitter.entry (team_id, month, job_id, seq, text, hash, pushed_by)
      select me.team_id, m.month, m.id, s.seq, s.text, s.hash, me.id from made m join whole w on w.id = m.id join said s on s.job = w.n
  )
  select array_agg(w.n::int), array_agg(w.last_seq), array_agg(w.last_hash), sum(w.bytes) into taken, seqs, lasts, bytes from made m join whole w on w.id = m.id;
-- Among so many one that is no JSON: each is looked at by itself.
exception when data_exception or statement_too_complex then
  taken := null; seqs := null; lasts := null; bytes := null;
end $$;

create function fitter.append_jobs(summaries text[], of_job int[], texts text[], hashes text[])
returns table (number int, outcome text, code text, detail text, seq bigint, hash text, is_of_other boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  me fitter.laptop := fitter.writer();
  given int := coalesce(cardinality(summaries), 0);
  taken int[];
  seqs bigint[];
  lasts text[];
  spent bigint;
  one record;
  told record;
  elsewhere boolean;
  state text;
  said text;
begin
  if given = 0 or coalesce(cardinality(texts), 0) = 0 or cardinality(of_job) is distinct from cardinality(texts) or cardinality(hashes) is distinct from cardinality(texts)
    or exists (select from unnest(of_job) job where job is null or job not between 1 and given) then
    raise exception 'not the form of a push' using errcode = 'FT006';
  end if;
  if given > 1000 or cardinality(texts) > 5000 or pg_column_size(texts) > 16000000 or pg_column_size(summaries) > 16000000 then
    raise exception 'more than one call may carry' using errcode = 'FT005';
  end if;
  select coalesce(a.taken, '{}'), a.seqs, a.lasts, a.bytes into taken, seqs, lasts, spent from fitter.add_jobs(me, summaries, of_job, texts, hashes) a;
  if cardinality(taken) > 0 then
    perform fitter.spend(me.id, spent);
    return query select a.number, 'added', null::text, null::text, a.seq, a.hash, false from unnest(taken, seqs, lasts) as a (number, seq, hash);
    -- Commits that tell something wait for each other: what is pushed in bulk is found by looking.
    if cardinality(texts) <= 20 then perform fitter.tell(me.team_id, s.text::jsonb ->> 'id') from unnest(summaries) with ordinality as s (text, n) where s.n = any (taken); end if;
  end if;
  if cardinality(taken) = given then return; end if;
  for one in
    select s.n::int as n, s.text as summary, e.texts, e.hashes from unnest(summaries) with ordinality as s (text, n)
      left join (select g.job, array_agg(g.text order by g.n) as texts, array_agg(g.hash order by g.n) as hashes from unnest(of_job, texts, hashes) with ordinality as g (job, text, hash, n) group by g.job) e on e.job = s.n
      where s.n <> all (taken) order by s.n
  loop
    begin
      select (array_agg(a.outcome order by a.outcome = 'fork' desc, a.outcome = 'added' desc))[1] as outcome, null::text as code, null::text as detail, max(a.seq) as seq, (array_agg(a.hash order by a.seq desc))[1] as hash into told
        from fitter.append(one.summary::jsonb, one.texts, one.hashes) a;
      elsewhere := exists (select from fitter.job j where j.team_id = me.team_id and j.id = one.summary::jsonb ->> 'id' and j.holder is not null and j.holder <> me.id);
    exception when others then
      get stacked diagnostics state = returned_sqlstate, said = pg_exception_detail;
      -- What this job is refused for. A day that is full, a lock, a disk: of all of them.
      if state !~ '^(FT00[2-9]|FT01[12]|22|54001)' then raise; end if;
      select 'refused' as outcome, state as code, said as detail, null::bigint as seq, null::text as hash into told;
      elsewhere := false;
    end;
    return query select one.n, told.outcome, told.code, told.detail, told.seq, told.hash, elsewhere;
  end loop;
end $$;
`
