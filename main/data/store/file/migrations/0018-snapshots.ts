/**
 * Snapshots of devices, each with its compressed file. The log of a job names its snapshots by hash: they stay as long
 * as the log. Those that persons requested may be removed.
 */
export const snapshots = `
create table snapshot (
  key integer primary key,
  id text not null unique,
  imei text,
  job_id text references job (id),
  -- jobStart, signOff or person.
  cause text not null,
  taken_at text not null,
  -- Of the vehicle that the gateway or the job had with the device then.
  vehicle_id integer,
  -- Of the file before it was packed.
  sha256 text not null,
  size_bytes integer not null,
  -- How it was packed.
  packing integer not null,
  content blob not null
) strict;
create index snapshot_imei on snapshot (imei, key);
create index snapshot_time on snapshot (imei, taken_at);
create index snapshot_vehicle on snapshot (vehicle_id, key) where vehicle_id is not null;
create index snapshot_job on snapshot (job_id, key) where job_id is not null;

create trigger snapshot_is_never_changed before update on snapshot begin select raise(abort, 'what was kept is never changed'); end;
create trigger snapshot_of_job_is_never_taken_away before delete on snapshot when old.job_id is not null begin select raise(abort, 'what was kept is never taken away'); end;
`
