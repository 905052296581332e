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

/** Migration 0034: device profiles that are applied when the open job of a device has ended; one for each device. */
export const profilePlans = `
create table profile_plan (
  imei text primary key,
  job_id text not null,
  profile_id text not null references device_profile (id) on delete cascade,
  content text not null
) strict, without rowid;
`
