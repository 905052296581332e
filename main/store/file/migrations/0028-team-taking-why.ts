/** What keeps a take-over from ending that was begun here. Each one is tried again alone, and none keeps another from its turn. */
export const teamTakingWhy = 'alter table team_taking add column why text'
