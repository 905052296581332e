/** How the work of the team stands, counted. */
export const counts = String.raw`
-- How the work of the team stands: what is open, what ended since the beginning of a day, and what is prepared. Of each at most so many are
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
    (select j.state, j.needs_help, j.skipped > 0 as is_skipped, j.customer, j.technician, false as is_ended from fitter.listed j
      where j.team_id = team and j.ended_at is null and (whose is null or j.technician = whose) order by j.made_at desc limit 20000)
    union all
    (select j.state, j.needs_help, j.skipped > 0, j.customer, j.technician, true from fitter.listed j
      where j.team_id = team and j.ended_at is not null and j.ended_at >= since and (whose is null or j.technician = whose) limit 20000)
  ), prepared as materialized (
    select a.customer, coalesce(a.due_at < now(), false) as is_late from fitter.assignment a left join fitter.laptop l on l.id = a.to_laptop
      where a.team_id = team and a.begun_at is null and a.withdrawn_at is null and (whose is null or l.name = whose) limit 20000
  ), people as (
    select technician, count(*) as jobs from seen where technician <> '' group by technician
  ), places as (
    select customer, count(*) filter (where state = 'done') as done, count(*) as jobs, count(*) filter (where is_late) as late
      from (select customer, state, false as is_late from seen union all select customer, 'assigned', is_late from prepared) work group by customer
  ), ended as (
    select count(*) filter (where j.is_first_time) as right_at_once, count(j.is_first_time) as counted from fitter.listed j
      where j.team_id = team and j.ended_at is not null and j.ended_at >= month_since and (whose is null or j.technician = whose)
  )
  select jsonb_build_object(
    'all', count(*), 'needHelp', count(*) filter (where needs_help), 'inWork', count(*) filter (where not is_ended and state <> 'installedAwaitingGateway'),
    'waiting', count(*) filter (where state = 'installedAwaitingGateway'), 'skipped', count(*) filter (where is_skipped), 'ended', count(*) filter (where is_ended),
    'assigned', (select count(*) from prepared), 'technicianCount', (select count(*) from people),
    'technicians', coalesce((select jsonb_agg(jsonb_build_object('technician', technician, 'jobs', jobs) order by jobs desc, technician) from (select * from people order by jobs desc, technician limit 200) p), '[]'),
    'customers', coalesce((select jsonb_agg(jsonb_build_object('customer', customer, 'done', done, 'of', jobs, 'late', late) order by jobs desc, customer) from (select * from places order by jobs desc, customer limit 50) p), '[]'),
    'firstTimeRight', (select right_at_once from ended), 'firstTimeOf', (select counted from ended)
  ) into told from seen;
  return told;
end $$;
revoke all on function fitter.counts(jsonb) from public;
grant execute on function fitter.counts(jsonb) to fitter_reads;
`
