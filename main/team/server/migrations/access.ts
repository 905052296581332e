/**
 * Which rows a laptop sees: those of its own team. `fitter.word` and `fitter.retention` have no policy, so that only
 * the owner sees them.
 */
export const rowAccess = `
alter table fitter.team enable row level security;
alter table fitter.laptop enable row level security;
alter table fitter.job enable row level security;
alter table fitter.entry enable row level security;
alter table fitter.fork enable row level security;
alter table fitter.content enable row level security;
alter table fitter.piece enable row level security;
alter table fitter.handover enable row level security;
alter table fitter.dropped enable row level security;
alter table fitter.listed enable row level security;
alter table fitter.word enable row level security;
alter table fitter.assignment enable row level security;
alter table fitter.step enable row level security;
alter table fitter.failure enable row level security;
alter table fitter.job_content enable row level security;
alter table fitter.retention enable row level security;
alter table fitter.settlement enable row level security;

create policy own_team on fitter.team for select using (id = (select fitter.my_team()));
create policy own_team on fitter.laptop for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.job for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.entry for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.fork for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.content for select using (team_id = (select fitter.my_team()) and whole_at is not null);
create policy own_team on fitter.piece for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.handover for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.dropped for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.listed for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.assignment for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.step for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.failure for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.job_content for select using (team_id = (select fitter.my_team()));
create policy own_team on fitter.settlement for select using (team_id = (select fitter.my_team()));
`

/**
 * What laptops may read and call, as the newest version of the schema has it. It runs at the end of each `init`: a dump
 * of a database contains no roles, and a right that was given to a missing role is lost when the dump is restored.
 */
export const rights = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'fitter_reads') then create role fitter_reads nologin; end if;
  if not exists (select from pg_roles where rolname = 'fitter_writes') then create role fitter_writes nologin; end if;
end $$;
grant fitter_reads to fitter_writes;
revoke all on schema fitter from public;
revoke all on all tables in schema fitter from public;
-- Functions of an extension may belong to a superuser: revoking those would write a warning for each into the log of the server.
do $$
declare own regprocedure;
begin
  for own in select p.oid from pg_proc p where p.pronamespace = 'fitter'::regnamespace and pg_has_role(p.proowner, 'usage') loop
    execute format('revoke all on function %s from public', own);
  end loop;
end $$;
grant usage on schema fitter to fitter_reads;
grant select on fitter.migration, fitter.team, fitter.job, fitter.entry, fitter.fork, fitter.settlement, fitter.content, fitter.piece, fitter.handover, fitter.dropped, fitter.dropped_photo, fitter.assignment, fitter.listed, fitter.step, fitter.failure, fitter.job_content to fitter_reads;
grant select (id, team_id, name, may_write, is_lead, invited_at, expires_at, joined_at, left_at, pushed_at) on fitter.laptop to fitter_reads;
grant select on fitter.jobs, fitter.steps, fitter.first_time_pass, fitter.failures to fitter_reads;
grant execute on function fitter.my_laptop(), fitter.my_team(), fitter.whole_from(text), fitter.join_team(uuid), fitter.leave_team(), fitter.missing(text[]), fitter.offers(), fitter.lost(), fitter.changed_since(timestamptz), fitter.list_jobs(jsonb, int), fitter.assignments(jsonb, int), fitter.counts(jsonb) to fitter_reads;
-- A view asks with the rights of whoever looks.
grant execute on function fitter.count_in(jsonb) to fitter_reads;
grant execute on function fitter.append(jsonb, text[], text[]), fitter.append_jobs(text[], int[], text[], text[]), fitter.keep_piece(text, text, bigint, int, bytea), fitter.close_content(text) to fitter_writes;
grant execute on function fitter.offer(text, text, jsonb, text), fitter.take_offer(text), fitter.withdraw_offer(text), fitter.take_over(text, text, text), fitter.keep_fork(text, text[], text[]), fitter.settle_fork(text, text, text) to fitter_writes;
grant execute on function fitter.assign(jsonb), fitter.begin_assignment(text, text), fitter.withdraw_assignment(text) to fitter_writes;
`
