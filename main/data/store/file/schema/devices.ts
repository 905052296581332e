const knownDevices = `
create table known_device (
  imei text primary key,
  model text not null,
  label text not null,
  last_vehicle text,
  last_address text,
  last_job_at text,
  last_seen_at text not null
) strict;
`

/** Settings of a device, saved under a name for other devices. */
const deviceProfiles = `
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

/** Device profiles that are applied when the open job of a device has ended; one for each device. */
const profilePlans = `
create table profile_plan (
  imei text primary key,
  job_id text not null,
  profile_id text not null references device_profile (id) on delete cascade,
  content text not null
) strict, without rowid;
`

/** Planned service visits and notes about the diagnosis of a vehicle. */
const diagnosisCases = `
create table diagnosis_case (
  -- The gateway with the vehicle, or the IMEI of a device that is in none.
  subject text primary key,
  visit text,
  outcome text not null,
  notes text not null,
  updated_at text not null
) strict, without rowid;
`

export const devices = `${knownDevices}${deviceProfiles}${profilePlans}${diagnosisCases}`
