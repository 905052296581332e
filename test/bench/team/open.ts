import { openTeamJob } from '../../../main/team/openJob.ts'
import { alternate, sayRatio, summariseMs } from '../../support/measure.ts'
import { fillLog } from './filledLog.ts'

/** A job of 300 entries, read whole and held against its hashes, beside the bare statement for its entries. */
const jobs = process.argv.includes('--quick') ? 2_000 : 200_000
const goalMs = 100

const log = await fillLog({ jobs })
try {
  const { job } = await openTeamJob(log.laptop, log.longJob)
  const times = await alternate(50, () => openTeamJob(log.laptop, log.longJob), () => log.owner.query('select text, hash from fitter.entry where team_id = $1 and job_id = $2 order by seq', [log.teamId, log.longJob]))
  const { p95Ms } = summariseMs(times.ours)
  sayRatio(`opening a job of 300 entries (${String(job.steps.length)} steps)`, times, Infinity)
  process.stdout.write(`opening: p95 ${p95Ms.toFixed(1)} ms, goal ${String(goalMs)}${p95Ms <= goalMs ? '' : '  MISSED'}\n`)
} finally {
  await log.remove()
}
