/** Prepared jobs of the team log, stored so that one can be started without the server. */
export const teamAssigned = `
create table team_assigned (
  id text primary key,
  -- As the team log had it.
  content text not null,
  -- The job that was begun from it here.
  job_id text,
  begun_at text,
  -- When the team log was told; null while it was not.
  told_at text,
  -- What a person has to know of it, as a message.
  told text,
  check ((job_id is null) = (begun_at is null))
) strict, without rowid;
`
