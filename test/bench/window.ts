import { benchCharts } from './window/charts.ts'
import { benchJob } from './window/job.ts'
import { benchScreens } from './window/screens.ts'

/**
 * npm run bench -- window [--quick] [charts] [screens] [job]: what the window costs. `--quick` takes minutes instead of
 * most of an hour: 5,000 jobs instead of 100,000, one minute of heap instead of 30.
 */
const isQuick = process.argv.includes('--quick')
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isWanted = (part: string) => chosen.length === 0 || chosen.includes(part)
const say = (text: string) => process.stdout.write(`${text}\n`)

if (isWanted('screens')) await benchScreens({ jobs: isQuick ? 5_000 : 100_000, rounds: isQuick ? 7 : 15, say })
if (isWanted('charts'))
  await benchCharts({ heapMinutes: isQuick ? 1 : 30, framesSeconds: isQuick ? 5 : 10, rounds: isQuick ? 2 : 4, say })
if (isWanted('job')) await benchJob(say)
