/**
 * The local copy of the gateway's vehicles: separate rows for each site and user, because each user sees different
 * vehicles.
 */
export const vehicles = `
create table vehicle_site (
  key integer primary key,
  url text not null,
  user text not null,
  -- The walk through the pages: its number, the next page and the size of a page. Null next_page: none is under way.
  walk integer not null default 0,
  next_page integer,
  page_size integer,
  walk_started_at text,
  seen integer not null default 0,
  copied_at text,
  is_complete integer not null default 0,
  unique (url, user)
) strict;

create table vehicle_copy (
  key integer primary key,
  site integer not null references vehicle_site (key),
  id integer not null,
  name text not null,
  exact text not null,
  record text not null,
  walk integer not null,
  unique (site, id)
) strict;
create index vehicle_copy_exact on vehicle_copy (site, exact);

create virtual table vehicle_word using fts5 (
  site, words, content = '', contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 6 8'
);
`
