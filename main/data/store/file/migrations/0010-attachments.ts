/**
 * Pictures and other bytes of jobs, stored once under their hash, in pieces, so that a part can be read alone. The log
 * names the pictures of a job; the rows here list them without reading logs.
 */
export const attachments = `
create table attachment (
  sha256 text primary key,
  media_type text not null,
  size_bytes integer not null,
  kept_at text not null
) strict, without rowid;

create table attachment_piece (
  sha256 text not null references attachment (sha256),
  number integer not null,
  bytes blob not null,
  unique (sha256, number)
) strict;

create table job_attachment (
  job_id text not null references job (id),
  sha256 text not null references attachment (sha256),
  primary key (job_id, sha256)
) strict, without rowid;

create trigger attachment_is_never_changed before update on attachment begin select raise(abort, 'what was kept is never changed'); end;
create trigger attachment_is_never_shortened before delete on attachment begin select raise(abort, 'what was kept is never taken away'); end;
create trigger attachment_piece_is_never_changed before update on attachment_piece begin select raise(abort, 'what was kept is never changed'); end;
create trigger attachment_piece_is_never_shortened before delete on attachment_piece begin select raise(abort, 'what was kept is never taken away'); end;
create trigger job_attachment_is_never_shortened before delete on job_attachment begin select raise(abort, 'what was kept is never taken away'); end;
`
