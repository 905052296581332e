/** Gateway work that a person holds back: since when, and who it was. */
export const pausedWork = `
alter table operation add column paused_at text;
alter table operation add column paused_by text;
`
