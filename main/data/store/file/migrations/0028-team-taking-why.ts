/** What prevents a started take-over from ending. Each one is retried alone and does not block the others. */
export const teamTakingWhy = 'alter table team_taking add column why text'
