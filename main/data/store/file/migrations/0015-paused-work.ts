/** Paused gateway work: since when, and by whom. */
export const pausedWork = `
alter table operation add column paused_at text;
alter table operation add column paused_by text;
`
