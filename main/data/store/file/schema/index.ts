import { computer } from './computer.ts'
import { devices } from './devices.ts'
import { gatewayCopies } from './gatewayCopies.ts'
import { jobContent } from './jobContent.ts'
import { jobs } from './jobs.ts'
import { team } from './team.ts'
import { work } from './work.ts'

/** The tables of version 1. After a release they are never edited: a change is a migration. */
export const schema = [computer, jobs, jobContent, work, devices, gatewayCopies, team].join('\n')
