/** The order of the team log's acknowledgements: a restored server lacks the last ones. */
export const teamAcknowledged = `
alter table team_push add column ordinal integer not null default 0;
create index team_push_ordinal on team_push (ordinal);
create trigger team_push_acknowledged after insert on team_push begin
  update team_push set ordinal = (select max(ordinal) + 1 from team_push) where job_id = new.job_id;
end;
create trigger team_push_acknowledged_again after update of hash on team_push begin
  update team_push set ordinal = (select max(ordinal) + 1 from team_push) where job_id = new.job_id;
end;
`
