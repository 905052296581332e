/** Device profiles that are applied when the open job of a device has ended; one for each device. */
export const profilePlans = `
create table profile_plan (
  imei text primary key,
  job_id text not null,
  profile_id text not null references device_profile (id) on delete cascade,
  content text not null
) strict, without rowid;
`
