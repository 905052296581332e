/**
 * Jobs handed over to another laptop, or received from one. Their data is kept, so that the same file can be made
 * again: operations in `given`, logs and pictures in their usual place.
 */
export const handovers = `
drop index operation_open;
create index operation_open on operation (sequence) where state not in ('done', 'cancelled', 'expired', 'superseded', 'moved');

-- Came with work that was handed over: read back before it is sent. Null for work that began here.
alter table operation add column claim text;

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
