/** Settings of a device, saved under a name for other devices. */
export const deviceProfiles = `
create table device_profile (
  id text primary key,
  name text not null,
  -- The name in lower case: two profiles never differ in that alone.
  name_key text not null unique,
  settings integer not null,
  head text not null,
  content text not null
) strict, without rowid;
`
