/** What the team log said last of the earlier jobs of a device or a vehicle, for work without it. */
export const teamEarlier = `
create table team_earlier (
  of text primary key,
  content text not null,
  kept_at text not null
) strict, without rowid;
create index team_earlier_age on team_earlier (kept_at);
`
