import { findJobs } from '../../../main/team/jobs.ts'
import { alternate, sayRatio, summariseMs } from '../../support/measure.ts'
import { fillLog } from './filledLog.ts'

/**
 * Pages of the list and searches of a team with 200,000 jobs and 2,000,000 entries, as a laptop asks for them, against the
 * bare statement of the owner on the same rows.
 */
const isQuick = process.argv.includes('--quick')
const jobs = isQuick ? 5_000 : 200_000
const rounds = isQuick ? 30 : 100
const goals = { ratio: 1.5, p95Ms: 50 }

const started = performance.now()
const log = await fillLog({ jobs })
process.stdout.write(`Filled with ${String(jobs)} jobs and ${String(jobs * 10)} entries in ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
try {
  const columns = 'id, kind, state, template, imei, model, vehicle, plate, customer, technician, made_at, changed_at, shown, head_seq'
  const bare = (where: string, ...values: unknown[]) => () => log.owner.query(`select ${columns} from fitter.job where team_id = $1 ${where} order by made_at desc, id desc limit 51`, [log.teamId, ...values])
  const ours = (wanted: object) => () => findJobs(log.laptop, { limit: 50, ...wanted })
  const { rows } = await log.owner.query<{ id: string; made_at: Date }>('select id, made_at from fitter.job where team_id = $1 order by made_at desc, id desc offset $2 limit 1', [log.teamId, Math.floor(jobs / 2)])
  const [middle] = rows
  const cases: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['the first page', ours({}), bare('')],
    ['a page in the middle', ours({ after: middle?.id }), bare('and (made_at, id) < ($2, $3)', middle?.made_at, middle?.id)],
    ['those of a customer', ours({ customer: 'Kowalski Logistics' }), bare('and customer = $2', 'Kowalski Logistics')],
    ['a word of many', ours({ search: 'kowalski' }), bare("and words like '%kowalski%'")],
    ['two words', ours({ search: 'blue trailer' }), bare("and words like '%blue%' and words like '%trailer%'")],
    ['a number of one', ours({ search: String(350_000_000_000_000 + 77 * 7_919) }), bare('and words like $2', `%${String(350_000_000_000_000 + 77 * 7_919)}%`)],
    ['part of a plate', ours({ search: 'b-aa 1026' }), bare("and words like '%aa%' and words like '%1026%'")],
    ['a word that nobody has', ours({ search: 'zzzzqqq' }), bare("and words like '%zzzzqqq%'")]
  ]
  const all: number[] = []
  for (const [name, own, other] of cases) {
    await own()
    const times = await alternate(rounds, own, other)
    all.push(...times.ours)
    sayRatio(name, times, goals.ratio)
  }
  const wrong = await alternate(rounds, ours({ search: 'kowalksi' }), ours({ search: 'kowalski' }))
  sayRatio('a word with letters exchanged, against it right', wrong, goals.ratio)
  const { p95Ms } = summariseMs([...all, ...wrong.ours])
  process.stdout.write(`all of them: p95 ${p95Ms.toFixed(1)} ms, goal ${String(goals.p95Ms)}${p95Ms <= goals.p95Ms ? '' : '  MISSED'}\n`)
} finally {
  await log.remove()
}
