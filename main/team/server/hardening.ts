/**
 * The script that a superuser runs once in the database of the team log: afterwards no login can fill the lock table,
 * which all databases of the server share, or the disk with anything outside of the team log's tables. The owner of the
 * database keeps the rights that setup and backups need.
 */
export function hardeningScript({ database, owner }: { database: string; owner: string }): string {
  const [there, role] = [quoted(database), quoted(owner)]
  return `-- For a superuser, once, in the database of the team log, after "fitter team init".
begin;
-- Whoever is no laptop and not the owner does not connect; nobody makes temporary tables.
revoke connect, temporary on database ${there} from public;
grant connect, temporary on database ${there} to ${role};
grant connect on database ${there} to fitter_reads;
-- Each advisory lock takes a place in the table of locks of the whole server, and each large object room that nobody counts.
do $hardening$
declare
  one regprocedure;
begin
  for one in select oid::regprocedure from pg_proc where pronamespace = 'pg_catalog'::regnamespace
    and (proname ~ '^pg_(try_)?advisory_' or proname ~ '^lo_' or proname in ('loread', 'lowrite'))
  loop
    execute format('revoke execute on function %s from public', one);
    execute format('grant execute on function %s to %I', one, ${literal(owner)});
  end loop;
end $hardening$;
commit;
`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
