/**
 * Photos can be dropped while their jobs stay. The entries name them by their hash, so the logs match; a laptop that
 * asks what is missing is not asked for them again.
 */
export const photos = String.raw`
create table fitter.dropped_photo (
  team_id uuid not null references fitter.team (id),
  sha256 text not null,
  at timestamptz not null default now(),
  primary key (team_id, sha256)
);
alter table fitter.dropped_photo enable row level security;
create policy own_team on fitter.dropped_photo for select using (team_id = (select fitter.my_team()));

alter table fitter.retention drop constraint retention_what_check;
alter table fitter.retention add constraint retention_what_check check (what in ('heldByLaw', 'noLongerHeld', 'dropped', 'photosDropped'));

-- Which of these are not there whole, and were not dropped either.
create or replace function fitter.missing(wanted text[]) returns setof text language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select one from unnest(wanted) one where not exists (select from fitter.content c where c.team_id = fitter.my_team() and c.sha256 = one and c.whole_at is not null)
    and not exists (select from fitter.dropped_photo d where d.team_id = fitter.my_team() and d.sha256 = one)
$$;

-- Drops the photos of jobs that first came before a month and to which nothing was added since it began, unless another job names
-- them; of one team or of all. With only_count it only says what that would be. The jobs and their entries stay.
create function fitter.drop_photos_before(month date, only_count boolean default false, of_team text default null)
returns table (jobs bigint, entries bigint, contents bigint, freed_bytes bigint, held_by_law bigint, still_used bigint)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  wanted date := month;
  -- Null: all of them.
  only_team uuid := (select t.id from fitter.team t where t.name = of_team);
begin
  if of_team is not null and only_team is null then raise exception 'no such team' using errcode = 'FT009'; end if;
  if wanted is null or wanted <> date_trunc('month', wanted)::date or wanted > date_trunc('month', now() at time zone 'UTC')::date then
    raise exception 'a month that is over is needed' using errcode = 'FT006';
  end if;
  -- One after the other; pushes go on.
  lock table fitter.retention in share row exclusive mode;
  create temp table bare on commit drop as
    select j.team_id, j.id from fitter.job j where (only_team is null or j.team_id = only_team) and j.month < wanted and j.changed_at < wanted and not j.is_held_by_law;
  create unique index on bare (team_id, id);
  if not only_count then
    -- Whoever is at work on one of them now keeps its photos.
    perform from fitter.job j join bare b on b.team_id = j.team_id and b.id = j.id order by j.team_id, j.id for update of j;
    delete from bare b using fitter.job j where j.team_id = b.team_id and j.id = b.id and (j.changed_at >= wanted or j.is_held_by_law);
  end if;
  create temp table leaving_photo on commit drop as
    select c.team_id, c.sha256, c.size_bytes from fitter.content c
    where c.media_type like 'image/%' and (only_team is null or c.team_id = only_team) and exists (select from fitter.job_content n where n.team_id = c.team_id and n.sha256 = c.sha256)
      and not exists (select from fitter.job_content n where n.team_id = c.team_id and n.sha256 = c.sha256 and not exists (select from bare b where b.team_id = n.team_id and b.id = n.job_id));

  jobs := (select count(distinct (n.team_id, n.job_id)) from fitter.job_content n join leaving_photo p on p.team_id = n.team_id and p.sha256 = n.sha256);
  entries := 0;
  contents := (select count(*) from leaving_photo);
  freed_bytes := (select coalesce(sum(p.size_bytes), 0) from leaving_photo p);
  held_by_law := (select count(*) from fitter.job j where (only_team is null or j.team_id = only_team) and j.month < wanted and j.changed_at < wanted and j.is_held_by_law);
  still_used := (select count(*) from fitter.job j where (only_team is null or j.team_id = only_team) and j.month < wanted and j.changed_at >= wanted);
  if not only_count then
    insert into fitter.dropped_photo (team_id, sha256) select p.team_id, p.sha256 from leaving_photo p on conflict do nothing;
    delete from fitter.piece x using leaving_photo p where x.team_id = p.team_id and x.sha256 = p.sha256;
    delete from fitter.content c using leaving_photo p where c.team_id = p.team_id and c.sha256 = p.sha256;
    insert into fitter.retention (what, team_id, before_month, jobs, entries, contents, freed_bytes) values ('photosDropped', only_team, wanted, jobs, entries, contents, freed_bytes);
  end if;
  drop table bare, leaving_photo;
  return next;
end $$;
`
