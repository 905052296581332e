/**
 * What a company no longer keeps, and what the law makes it keep. Only the owner decides either, and each decision is
 * recorded with who made it. A job goes whole: its entries, its forks, what lists and reports have of it, and the
 * pictures that no other job names.
 * Who handed over and who took over stays.
 */
export const retention = String.raw`
-- What was done about keeping: rows come and are never removed.
create table fitter.retention (
  number bigint generated always as identity primary key,
  at timestamptz not null default now(),
  by_role name not null default session_user,
  what text not null check (what in ('heldByLaw', 'noLongerHeld', 'dropped')),
  team_id uuid references fitter.team (id),
  job_id text,
  reason text not null default '',
  before_month date,
  jobs bigint,
  entries bigint,
  contents bigint,
  freed_bytes bigint
);

-- Keeps a job whatever is dropped, or no longer.
create function fitter.set_hold(of_team text, job text, is_on boolean, why text) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare found_team uuid;
begin
  if is_on is null or why is null or length(btrim(why)) not between 3 and 2000 then raise exception 'a reason is needed' using errcode = 'FT006'; end if;
  select t.id into found_team from fitter.team t where t.name = of_team;
  perform from fitter.job j where j.team_id = found_team and j.id = job for update;
  if not found then raise exception 'no such job' using errcode = 'FT009'; end if;
  update fitter.job j set is_held_by_law = is_on where j.team_id = found_team and j.id = job;
  insert into fitter.retention (what, team_id, job_id, reason) values (case when is_on then 'heldByLaw' else 'noLongerHeld' end, found_team, job, btrim(why));
end $$;

-- Drops what first came before a month and to which nothing was added since it began, of one team or of all; with only_count it only says what that
-- would be. Months of which nothing stays go whole, at once; of the others the entries are taken out one by one.
create function fitter.drop_before(month date, only_count boolean default false, of_team text default null)
returns table (jobs bigint, entries bigint, contents bigint, freed_bytes bigint, held_by_law bigint, still_used bigint)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  wanted date := month;
  part record;
  team uuid;
  -- Null: all of them.
  only_team uuid := (select t.id from fitter.team t where t.name = of_team);
begin
  if of_team is not null and only_team is null then raise exception 'no such team' using errcode = 'FT009'; end if;
  if wanted is null or wanted <> date_trunc('month', wanted)::date or wanted > date_trunc('month', now() at time zone 'UTC')::date then
    raise exception 'a month that is over is needed' using errcode = 'FT006';
  end if;
  -- One after the other; pushes go on.
  lock table fitter.retention in share row exclusive mode;
  create temp table leaving on commit drop as
    select j.team_id, j.id, j.month, j.head_seq, j.head_hash from fitter.job j where (only_team is null or j.team_id = only_team) and j.month < wanted and j.changed_at < wanted and not j.is_held_by_law;
  create unique index on leaving (team_id, id);
  if not only_count then
    -- Whoever is at work on one of them now keeps it.
    perform from fitter.job j join leaving g on g.team_id = j.team_id and g.id = j.id order by j.team_id, j.id for update of j;
    delete from leaving g using fitter.job j where j.team_id = g.team_id and j.id = g.id and (j.changed_at >= wanted or j.is_held_by_law);
  end if;
  create temp table unnamed on commit drop as
    select c.team_id, c.sha256, c.size_bytes from fitter.content c where (only_team is null or c.team_id = only_team) and c.kept_at < wanted
      and not exists (select from fitter.job_content n where n.team_id = c.team_id and n.sha256 = c.sha256 and not exists (select from leaving g where g.team_id = n.team_id and g.id = n.job_id))
      and not exists (select from fitter.handover h where h.team_id = c.team_id and h.work_sha256 = c.sha256 and h.taken_at is null and h.withdrawn_at is null);

  jobs := (select count(*) from leaving);
  entries := (select coalesce(sum(g.head_seq), 0) from leaving g);
  contents := (select count(*) from unnamed);
  freed_bytes := (select coalesce(sum(u.size_bytes), 0) from unnamed u) + (select coalesce(sum(octet_length(e.text)), 0) from leaving g join fitter.entry e on e.month = g.month and e.team_id = g.team_id and e.job_id = g.id);
  held_by_law := (select count(*) from fitter.job j where (only_team is null or j.team_id = only_team) and j.month < wanted and j.changed_at < wanted and j.is_held_by_law);
  still_used := (select count(*) from fitter.job j where (only_team is null or j.team_id = only_team) and j.month < wanted and j.changed_at >= wanted);
  if only_count then
    drop table leaving, unnamed;
    return next;
    return;
  end if;

  for part in select c.relname as name, m.month from (select distinct g.month from leaving g) m join pg_class c on c.relnamespace = 'fitter'::regnamespace and c.relname = 'entry_' || to_char(m.month, 'YYYYMM') loop
    if exists (select from fitter.job j where j.month = part.month and not exists (select from leaving g where g.team_id = j.team_id and g.id = j.id)) then
      delete from fitter.entry e using leaving g where e.month = part.month and g.month = part.month and e.team_id = g.team_id and e.job_id = g.id;
    else
      execute format('drop table fitter.%I', part.name);
    end if;
  end loop;
  delete from fitter.fork f using leaving g where f.team_id = g.team_id and f.job_id = g.id;
  delete from fitter.step s using leaving g where s.team_id = g.team_id and s.job_id = g.id;
  delete from fitter.failure f using leaving g where f.team_id = g.team_id and f.job_id = g.id;
  delete from fitter.job_content n using leaving g where n.team_id = g.team_id and n.job_id = g.id;
  insert into fitter.dropped (team_id, id, head_seq, head_hash) select g.team_id, g.id, g.head_seq, g.head_hash from leaving g;
  delete from fitter.job j using leaving g where j.team_id = g.team_id and j.id = g.id;
  delete from fitter.piece p using unnamed u where p.team_id = u.team_id and p.sha256 = u.sha256;
  delete from fitter.content c using unnamed u where c.team_id = u.team_id and c.sha256 = u.sha256;
  for team in select distinct g.team_id from leaving g loop
    perform fitter.renew_words(team);
  end loop;
  insert into fitter.retention (what, team_id, before_month, jobs, entries, contents, freed_bytes) values ('dropped', only_team, wanted, jobs, entries, contents, freed_bytes);
  drop table leaving, unnamed;
  return next;
end $$;
`
