/**
 * The end of each log, so that entries missing at its end are noticed; and "insert or replace" cannot bypass the
 * triggers of the journal.
 */
export const wholeLog = `
alter table job add column last_hash text not null default '';
update job set last_hash = coalesce((select hash from journal where job_id = job.id order by seq desc limit 1), '');
create trigger journal_is_never_replaced before insert on journal
when exists (select 1 from journal where job_id = new.job_id and seq = new.seq)
begin select raise(abort, 'the journal is only added to'); end;
`
