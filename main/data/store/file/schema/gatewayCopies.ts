/**
 * The local copy of gateway data: separate rows for each site and user, because each user sees different records. A
 * damaged one is rebuilt.
 */
export const gatewayCopies = `
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

create virtual table copy_word using fts5 (
  site, words, content = '', contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 6 8'
);
`
