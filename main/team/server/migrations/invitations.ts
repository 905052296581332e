/**
 * An invitation may expire. Until a laptop has joined with it, its login is a laptop of the team only before that time;
 * the first join ends the limit.
 */
export const invitations = String.raw`
alter table fitter.laptop add column expires_at timestamptz;

create or replace function fitter.my_laptop() returns uuid language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select id from fitter.laptop where login = session_user and left_at is null and (expires_at is null or expires_at > now()) $$;

create or replace function fitter.my_team() returns uuid language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select team_id from fitter.laptop where login = session_user and left_at is null and (expires_at is null or expires_at > now()) $$;

create or replace function fitter.writer() returns fitter.laptop language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare me fitter.laptop;
begin
  select * into me from fitter.laptop where login = session_user and left_at is null and (expires_at is null or expires_at > now());
  if me.id is null then raise exception 'not a laptop of a team' using errcode = 'FT001'; end if;
  if not me.may_write then raise exception 'this login only reads' using errcode = 'FT001'; end if;
  return me;
end $$;

-- When a laptop joins.
create function fitter.end_invitation() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if old.data_folder is null and new.data_folder is not null then
    if old.expires_at <= now() then raise exception 'the invitation has expired' using errcode = 'FT014'; end if;
    new.expires_at := null;
  end if;
  return new;
end $$;

create trigger end_invitation before update of data_folder on fitter.laptop for each row execute function fitter.end_invitation();
`
