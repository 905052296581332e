/**
 * Every output that Fitter switched on and that may be on: written before the first byte of "on" is sent, ended only by
 * a proof of "off" from the right device or by a person who checked the relay. Ended entries stay.
 */
export const outputLedger = `
create table output_ledger (
  id integer primary key autoincrement,
  imei text not null,
  output text not null,
  path text not null,
  vehicle_id integer,
  address text not null,
  since text not null,
  switched_by text not null,
  job_id text,
  is_on_settled integer not null default 0,
  ended_at text,
  ended_how text,
  ended_by text,
  end_reason text
) strict;
create unique index output_ledger_open on output_ledger (imei, path, output) where ended_at is null;
create trigger output_ledger_is_never_shortened before delete on output_ledger begin select raise(abort, 'what was switched is kept'); end;
`
