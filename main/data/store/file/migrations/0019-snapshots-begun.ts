/** Job snapshots in progress: a row that exists when Fitter starts was interrupted. */
export const snapshotsBegun = `
create table snapshot_begun (
  job_id text not null references job (id),
  cause text not null,
  -- How many entries with this cause its log had then.
  told integer not null,
  begun_at text not null,
  primary key (job_id, cause)
) strict, without rowid;
`
