/** Commands sent to devices outside of a checklist: stored because most of them cannot be read back. */
export const deviceWrites = `
create table device_write (
  id integer primary key autoincrement,
  imei text not null,
  at text not null,
  operation text not null,
  input text not null,
  sent_by text not null,
  job_id text references job (id),
  outcome text not null,
  detail text not null,
  answer text not null,
  ended_at text
) strict;
create index device_write_imei on device_write (imei, operation, id desc);
create trigger device_write_is_never_shortened before delete on device_write begin select raise(abort, 'what was sent is kept'); end;

create table preference (
  name text primary key,
  value text not null
) strict;
`
