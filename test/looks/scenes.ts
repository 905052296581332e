import type { Act } from './scenes/act.ts'
import { activity } from './scenes/activity.ts'
import { first } from './scenes/first.ts'
import { job, jobWarned } from './scenes/job.ts'
import { jobStates } from './scenes/jobStates.ts'
import { statistics, training, years } from './scenes/past.ts'
import { profiles } from './scenes/profiles.ts'
import { begin, newComputer } from './scenes/start.ts'
import { support, supportHome } from './scenes/support.ts'
import { updates, updatesBlocked, updatesManaged, managed } from './scenes/updates.ts'
import { yard } from './scenes/yard.ts'

export type { Act, Scene } from './scenes/act.ts'

export const acts: readonly Act[] = [first, yard, job, jobStates, jobWarned, support, begin, profiles, statistics, training, newComputer, updates, updatesBlocked, updatesManaged, years, managed, supportHome, activity]
