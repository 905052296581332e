/** The acknowledged end of each job's log in the team log. No row: nothing was acknowledged. */
export const teamPush = `
create table team_push (
  job_id text primary key references job (id),
  seq integer not null,
  hash text not null,
  -- Why it goes no further by itself, as a message; null while it does.
  stopped text
) strict, without rowid;
`
