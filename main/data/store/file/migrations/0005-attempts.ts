/**
 * One journal of every request that changes something, at a device or at the gateway; dependencies between gateway
 * work; and indexes for lists of years.
 */
export const attempts = `
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

insert into attempt (id, target, imei, what, input, sent_by, job_id, started_at, outcome, detail, answer, ended_at)
select id, 'device', imei, operation, input, sent_by, job_id, at, case when ended_at is null then null else outcome end, detail, answer, ended_at
from device_write order by id;

insert into attempt (target, operation_id, number, what, input, request_hash, sent_by, job_id, started_at, server_time_ms, outcome, detail, answer)
select 'gateway', a.operation_id, a.number, o.kind, 'null', a.request_hash, '', o.job_id, a.started_at, a.server_time_ms, a.outcome, '', 'null'
from operation_attempt a join operation o on o.id = a.operation_id order by o.sequence, a.number;

drop table device_write;
drop table operation_attempt;
create trigger attempt_is_never_shortened before delete on attempt begin select raise(abort, 'what was sent is kept'); end;

-- What a finished operation gave to those that need it, such as the id of a record that it made.
alter table operation add column result text;
-- Sent at once or not at all: nobody sends it later.
alter table operation add column is_live integer not null default 0;

create table operation_need (
  operation_id text not null references operation (id),
  needs_id text not null references operation (id),
  -- Which part of the payload the result becomes; empty where only the order counts.
  part text not null,
  primary key (operation_id, needs_id)
) strict, without rowid;
create index operation_need_needs on operation_need (needs_id);

create index operation_job on operation (job_id, sequence);
create index operation_key on operation (key, sequence);
create index operation_open on operation (sequence) where state not in ('done', 'cancelled', 'expired', 'superseded');
`
