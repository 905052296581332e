/** The checklists that a customer made, each version of them. */
const templates = `
create table template (
  id text not null,
  version integer not null,
  content text not null,
  saved_at text not null,
  removed_at text,
  primary key (id, version)
) strict, without rowid;
`

/** Pictures of jobs; their bytes are files. The log names the pictures of a job; the rows list them without reading logs. */
const attachments = `
create table attachment (
  sha256 text primary key,
  media_type text not null,
  size_bytes integer not null,
  kept_at text not null
) strict, without rowid;

create table job_attachment (
  job_id text not null references job (id),
  sha256 text not null references attachment (sha256),
  primary key (job_id, sha256)
) strict, without rowid;

create trigger attachment_is_never_changed before update on attachment begin select raise(abort, 'what was kept is never changed'); end;
create trigger attachment_is_never_shortened before delete on attachment begin select raise(abort, 'what was kept is never taken away'); end;
create trigger job_attachment_is_never_shortened before delete on job_attachment begin select raise(abort, 'what was kept is never taken away'); end;
`

/** The statistics of a job and its steps, stored when it ends, so that statistics over years never read logs. */
const numbers = `
create table job_numbers (
  job_id text primary key references job (id),
  ended_at text not null,
  -- From the first step to the end, with all pauses.
  lasted_ms integer not null,
  -- Whether every step that was run was done at its first attempt, and none was skipped.
  is_first_time integer not null
) strict, without rowid;
create index job_numbers_ended on job_numbers (ended_at);

create table step_numbers (
  job_id text not null references job_numbers (job_id),
  step_id text not null,
  kind text not null,
  title text not null,
  state text not null,
  attempts integer not null,
  work_ms integer not null,
  is_first_time integer not null,
  -- What it failed with first, and how often it failed.
  failure text,
  failures integer not null,
  primary key (job_id, step_id)
) strict, without rowid;
`

/**
 * Snapshots of devices, each with its compressed file. The log of a job names its snapshots by hash: they stay as long
 * as the log. Those that persons requested may be removed.
 */
const snapshots = `
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

-- Job snapshots in progress: a row that exists when Fitter starts was interrupted.
create table snapshot_begun (
  job_id text not null references job (id),
  cause text not null,
  -- How many entries with this cause its log had then.
  told integer not null,
  begun_at text not null,
  primary key (job_id, cause)
) strict, without rowid;
`

/**
 * Jobs handed over to another laptop, or received from one. Their data is kept, so that the same file can be made
 * again: operations in `given`, logs and pictures in their usual place.
 */
const handovers = `
create table handover (
  id text not null,
  -- away, or here.
  direction text not null,
  at text not null,
  -- To whom, or from whom; empty when nobody was named.
  person text not null,
  -- Of the file.
  sha256 text not null,
  size_bytes integer not null,
  -- What the file began with and the operations in it, as JSON; null for what came from elsewhere.
  given text,
  primary key (id, direction, at)
) strict, without rowid;

-- How far the log of each job went in it.
create table handover_job (
  handover_id text not null,
  job_id text not null references job (id),
  seq integer not null,
  hash text not null,
  primary key (handover_id, job_id)
) strict, without rowid;
create index handover_job_job on handover_job (job_id);

create trigger handover_is_never_changed before update on handover begin select raise(abort, 'what was handed over is kept'); end;
create trigger handover_is_never_shortened before delete on handover begin select raise(abort, 'what was handed over is kept'); end;
create trigger handover_job_is_never_changed before update on handover_job begin select raise(abort, 'what was handed over is kept'); end;
create trigger handover_job_is_never_shortened before delete on handover_job begin select raise(abort, 'what was handed over is kept'); end;
`

export const jobContent = `${templates}${attachments}${numbers}${snapshots}${handovers}`
