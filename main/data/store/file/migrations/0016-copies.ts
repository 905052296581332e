import type Database from 'better-sqlite3'
import { isDamage, translateDataError } from '../errors.ts'
import { takeOut } from '../../damage/remake.ts'

/** Separate rows for each site and user, because each user sees different records. */
const places = `
create table copy_site (
  key integer primary key,
  url text not null,
  user text not null,
  -- When the walk through all kinds began that is not at its end yet.
  round_at text,
  unique (url, user)
) strict;

create table copy_walk (
  site integer not null references copy_site (key),
  kind text not null,
  -- The walk through the pages: its number, the next page and the size of a page. Null next_page: none is under way.
  walk integer not null default 0,
  next_page integer,
  page_size integer,
  started_at text,
  seen integer not null default 0,
  total integer,
  -- When it was ended, whether it saw everything or was refused; copied_at only where it gave records.
  ended_at text,
  copied_at text,
  is_complete integer not null default 0,
  refused text,
  primary key (site, kind)
) strict;

create table copy_record (
  key integer primary key,
  site integer not null references copy_site (key),
  kind text not null,
  id text not null,
  name text not null,
  exact text not null,
  record text not null,
  walk integer not null,
  unique (site, kind, id)
) strict;
create index copy_record_exact on copy_record (site, kind, exact);
create index copy_record_order on copy_record (site, kind);
`

const words = `
create virtual table copy_word using fts5 (
  site, words, content = '', contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 6 8'
);
`

/** The local copy of gateway data: a damaged one is rebuilt. */
export const copyTables = `${places}${words}`

/** Earlier only vehicles were copied: they stay, with their search words. */
export function copies(sql: Database.Database): void {
  try {
    sql.transaction(() => {
      sql.exec(places)
      sql.exec(moveVehicles)
    })()
  } catch (error) {
    if (!isDamage(translateDataError(error))) throw error
    for (const name of ['vehicle_word', 'vehicle_copy_exact', 'vehicle_copy', 'vehicle_site']) takeOut(sql, name)
    sql.exec(copyTables)
  }
}

const moveVehicles = `
insert into copy_site (key, url, user) select key, url, user from vehicle_site;
insert into copy_walk (site, kind, walk, next_page, page_size, started_at, seen, ended_at, copied_at, is_complete)
  select key, 'vehicles', walk, next_page, page_size, walk_started_at, seen, copied_at, copied_at, is_complete from vehicle_site;
insert into copy_record (key, site, kind, id, name, exact, record, walk)
  select key, site, 'vehicles', cast(id as text), name, exact, record, walk from vehicle_copy;
drop table vehicle_copy;
drop table vehicle_site;
alter table vehicle_word rename to copy_word;
`
