/** Work for the gateway, and what needs what. */
const operations = `
create table operation (
  sequence integer primary key autoincrement,
  id text not null unique,
  kind text not null,
  key text not null,
  state text not null,
  job_id text references job (id),
  title text not null,
  payload text not null,
  baseline text,
  reason text not null,
  evidence text not null,
  created_at text not null,
  updated_at text not null,
  -- What a finished operation gave to those that need it, such as the id of a record that it made.
  result text,
  -- Sent at once or not at all: nobody sends it later.
  is_live integer not null default 0,
  -- A changed request is noticed and never sent.
  payload_hash text,
  -- Came with work that was handed over: read back before it is sent. Null for work that began here.
  claim text,
  paused_at text,
  paused_by text
) strict;
create index operation_state on operation (state, key);
create index operation_job on operation (job_id, sequence);
create index operation_key on operation (key, sequence);
create index operation_open on operation (sequence) where state not in ('done', 'cancelled', 'expired', 'superseded', 'moved');

create table operation_need (
  operation_id text not null references operation (id),
  needs_id text not null references operation (id),
  -- Which part of the payload the result becomes; empty where only the order counts.
  part text not null,
  primary key (operation_id, needs_id)
) strict, without rowid;
create index operation_need_needs on operation_need (needs_id);
`

/** One journal of every request that changes something, at a device or at the gateway. */
const attempts = `
create table attempt (
  id integer primary key autoincrement,
  -- device: live, proved by reading back. gateway: an operation, whether it waits or is sent at once and never again.
  target text not null,
  operation_id text references operation (id),
  -- Of the operation, from 1 on; null at a device.
  number integer,
  -- IMEI or address of the device; null where only the operation knows.
  imei text,
  what text not null,
  input text not null,
  request_hash text,
  sent_by text not null,
  job_id text references job (id),
  started_at text not null,
  server_time_ms integer,
  -- Null while it is under way, and for good when the process died.
  outcome text,
  detail text not null,
  answer text not null,
  ended_at text,
  unique (operation_id, number)
) strict;
create index attempt_imei on attempt (imei, what, id desc);
create trigger attempt_is_never_shortened before delete on attempt begin select raise(abort, 'what was sent is kept'); end;
`

/**
 * Every output that Fitter switched on and that may be on: written before the first byte of "on" is sent, ended only by
 * a proof of "off" from the right device or by a person who checked the relay. Ended entries stay.
 */
const outputLedger = `
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

export const work = `${operations}${attempts}${outputLedger}`
