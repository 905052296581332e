/** Planned service visits and notes about the diagnosis of a vehicle. */
export const diagnosisCases = `
create table diagnosis_case (
  -- The gateway with the vehicle, or the IMEI of a device that is in none.
  subject text primary key,
  visit text,
  outcome text not null,
  notes text not null,
  updated_at text not null
) strict, without rowid;
`
