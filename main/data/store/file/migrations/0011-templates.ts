/** The checklists that a customer made, each version of them. */
export const templates = `
create table template (
  id text not null,
  version integer not null,
  content text not null,
  saved_at text not null,
  removed_at text,
  primary key (id, version)
) strict, without rowid;
`
