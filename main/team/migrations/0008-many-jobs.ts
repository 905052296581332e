/**
 * Many jobs in one call: a laptop with years of work brings it in a fraction of the round trips, commits and index writes. Each
 * job is held to what fitter.append holds one to, and is answered for itself; none keeps another from being taken.
 */
export const manyJobs = String.raw`
-- Jobs that are there from their first entry on, and of which nothing is there yet: all of them in one statement, each row written
-- once and complete. Gives those that it took; whatever is not as it should be is left to append, which says why.
create function fitter.add_jobs(me fitter.laptop, summaries text[], of_job int[], texts text[], hashes text[], out taken int[], out seqs bigint[], out lasts text[], out bytes bigint)
-- How many there are of each is not known to whoever plans it: one loop in another would be all of them for each. What that makes of
-- its cost is no reason to compile it: that would take a hundred times as long as it does.
language plpgsql set search_path = pg_catalog, pg_temp set enable_nestloop = off set jit = off as $$
#variable_conflict use_column
declare
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
    where jsonb_typeof(one.summary) = 'object' and one.id ~ '^[0-9A-Za-z-]{1,40}$' and one.id <> all (there) order by one.id, one.n
  ), said as materialized (
    select e.job, row_number() over of_one as seq, e.text, e.hash, lag(e.hash) over of_one as before, (replace(e.text, '\u', '/u')::json ->> 'seq')::bigint as said_seq
    from unnest(of_job, texts, hashes) with ordinality as e (job, text, hash, n) window of_one as (partition by e.job order by e.n)
  ), fitting as (
    select l.n, max(s.seq) as last_seq, sum(octet_length(s.text)) as bytes from listed l join said s on s.job = l.n where l.size <= 1000000 group by l.n
    having max(s.seq) <= 2000 and bool_and(s.text is not null and s.said_seq is not distinct from s.seq
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

-- Entries of many jobs: of_job says for each entry to which of the summaries it belongs, in order. Gives for each job what became of
-- it (added, known, fork or refused, with the state and the detail of the refusal), and the last of its entries as it stands there.
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
      if state !~ '^(FT00[2-9]|FT011|22|54001)' then raise; end if;
      select 'refused' as outcome, state as code, said as detail, null::bigint as seq, null::text as hash into told;
      elsewhere := false;
    end;
    return query select one.n, told.outcome, told.code, told.detail, told.seq, told.hash, elsewhere;
  end loop;
end $$;

revoke all on all functions in schema fitter from public;
grant execute on function fitter.append_jobs(text[], int[], text[], text[]) to fitter_writes;
`
