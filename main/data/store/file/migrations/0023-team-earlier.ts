/** The team log's last answer about earlier jobs of a device or a vehicle, for offline work. */
export const teamEarlier = `
create table team_earlier (
  of text primary key,
  content text not null,
  kept_at text not null
) strict, without rowid;
create index team_earlier_age on team_earlier (kept_at);
`
