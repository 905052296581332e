import { findJobs } from '../../../main/team/reading/jobs.ts'
import { openTeamJob } from '../../../main/team/reading/openJob.ts'
import { alternate, sayRatio, summariseMs } from '../../world/time/measure.ts'
import { fillLog } from './filledLog.ts'

/**
 * Pages of the list and searches of a team with 200,000 jobs and 2,000,000 entries, as a laptop asks for them, against
 * the bare statement of the owner on the same tables: the same question, order, limit and columns (also by whom a job
 * is held and how many forks it has), answered by the same indexes and asked by the same driver. Where nothing has a
 * word, the bare side asks for the nearest words as well. And a job of 300 entries, opened: read whole and held against
 * its hashes.
 */
const isQuick = process.argv.includes('--quick')
const jobs = isQuick ? 5_000 : 200_000
const rounds = isQuick ? 30 : 100
const goals = { ratio: 1.5, p95Ms: 50, openingMs: 100 }

const started = performance.now()
const log = await fillLog({ jobs })
process.stdout.write(
  `Filled with ${String(jobs)} jobs and ${String(jobs * 10)} entries in ${((performance.now() - started) / 1000).toFixed(0)} s\n`
)
try {
  const columns = `j.id, j.changed_at, j.ended_at, j.needs_help, j.shown, l.name as holder, j.holder = '${log.laptopId}' as is_mine, j.head_seq, (select count(*) from fitter.fork f where f.team_id = j.team_id and f.job_id = j.id) as forks`
  const bare =
    (where: string, ...values: unknown[]) =>
    () =>
      log.owner.query<{ id: string }>(
        `select ${columns} from (select k.team_id, k.id from fitter.listed k where k.team_id = $1 ${where} order by k.made_at desc, k.id desc limit 51) k
       join fitter.job j on j.team_id = k.team_id and j.id = k.id left join fitter.laptop l on l.id = j.holder order by j.made_at desc, j.id desc`,
        [log.teamId, ...values]
      )
  const digits = (number: string) => `and (k.words like '%${number}%' or k.imei like '%${number}%')`
  /** Those that few have: by the index of the pieces of numbers. */
  const rareDigits = (number: string) =>
    `and k.pieces @@ '${number.slice(-5)} & ${number.slice(-10).slice(0, 5)}' ${digits(number)}`
  const nearestNumber = (wrong: string) => async () => {
    const { rows: exact } = await bare(rareDigits(wrong))()
    if (exact.length > 0) return
    const meant = typedAs(wrong)
    const { rows: near } = await log.owner.query<{ word: string }>(
      'select word from fitter.word where team_id = $1 and word = any ($2) union select imei from fitter.listed where team_id = $1 and imei = any ($2)',
      [log.teamId, meant]
    )
    if (near.length > 0)
      await bare(
        'and imei = any ($2)',
        near.map(({ word }) => word)
      )()
  }
  const nearest = (word: string) => async () => {
    const { rows: exact } = await bare('and words like $2', `%${word}%`)()
    if (exact.length > 0) return
    const { rows: near } = await log.owner.query<{ word: string }>(
      "select word from fitter.word where team_id = $1 and word operator(fitter.%) $2 and word !~ '[0-9]' order by fitter.similarity(word, $2) desc limit 12",
      [log.teamId, word]
    )
    if (near.length > 0)
      await bare(
        'and words like any ($2)',
        near.map((one) => `% ${one.word} %`)
      )()
  }
  const ours = (wanted: object) => () => findJobs(log.laptop, { limit: 50, ...wanted })
  const { rows } = await log.owner.query<{ id: string; made_at: Date }>(
    'select id, made_at from fitter.listed where team_id = $1 order by made_at desc, id desc offset $2 limit 1',
    [log.teamId, Math.floor(jobs / 2)]
  )
  const [middle] = rows
  const number = String(350_000_000_000_000 + 77 * 7_919)
  const exchanged = number.slice(0, -2) + number.slice(-1) + number.slice(-2, -1)
  const cases: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['the first page', ours({}), bare('')],
    [
      'a page in the middle',
      ours({ after: middle?.id }),
      bare('and (k.made_at, k.id) < ($2, $3)', middle?.made_at, middle?.id)
    ],
    ['those of a customer', ours({ customer: 'Kowalski Logistics' }), bare('and customer = $2', 'Kowalski Logistics')],
    ['a word of many', ours({ search: 'kowalski' }), bare("and words like '%kowalski%'")],
    ['two words', ours({ search: 'blue trailer' }), bare("and words like '%blue%' and words like '%trailer%'")],
    ['a number of one', ours({ search: number }), bare(rareDigits(number))],
    [
      'part of a plate',
      ours({ search: 'b-ab 1026' }),
      bare("and words like '% b%' and words like '% ab%' " + digits('1026'))
    ],
    ['three digits of many numbers', ours({ search: '004' }), bare(digits('004'))],
    ['a word that nobody has', ours({ search: 'zzzzqqq' }), nearest('zzzzqqq')],
    ['a word with letters exchanged', ours({ search: 'kowalksi' }), nearest('kowalksi')],
    ['a number with digits exchanged', ours({ search: exchanged }), nearestNumber(exchanged)],
    ['the same against it right', ours({ search: exchanged }), bare(rareDigits(number))],
    ['the beginning of numbers of the oldest jobs', ours({ search: '35000000' }), bare(rareDigits('35000000'))]
  ]
  const all: number[] = []
  for (const [name, own, other] of cases) {
    await own()
    const times = await alternate(rounds, own, other)
    all.push(...times.ours)
    sayRatio(name, times, goals.ratio)
  }
  const { p95Ms } = summariseMs(all)
  process.stdout.write(
    `all of them: p95 ${p95Ms.toFixed(1)} ms, goal ${String(goals.p95Ms)}${p95Ms <= goals.p95Ms ? '' : '  MISSED'}\n`
  )

  const { job } = await openTeamJob(log.laptop, log.longJob)
  const times = await alternate(
    rounds,
    () => openTeamJob(log.laptop, log.longJob),
    () =>
      log.owner.query('select text, hash from fitter.entry where team_id = $1 and job_id = $2 order by seq', [
        log.teamId,
        log.longJob
      ])
  )
  sayRatio(`opening a job of 300 entries (${String(job.steps.length)} steps)`, times, Infinity)
  const opening = summariseMs(times.ours)
  process.stdout.write(
    `opening: p95 ${opening.p95Ms.toFixed(1)} ms, goal ${String(goals.openingMs)}${opening.p95Ms <= goals.openingMs ? '' : '  MISSED'}\n`
  )
} finally {
  await log.remove()
}

/** What a number may have been meant as, with one digit wrong, additional, missing or exchanged with its neighbour. */
function typedAs(number: string): string[] {
  const places = Array.from(number, (_, at) => at)
  const digits = Array.from('0123456789')
  const before = (at: number) => number.slice(0, at)
  return [
    ...places.flatMap((at) => digits.map((digit) => before(at) + digit + number.slice(at + 1))),
    ...[...places, number.length].flatMap((at) => digits.map((digit) => before(at) + digit + number.slice(at))),
    ...places.map((at) => before(at) + number.slice(at + 1)),
    ...places
      .slice(1)
      .map((at) => before(at - 1) + number.slice(at, at + 1) + number.slice(at - 1, at) + number.slice(at + 1))
  ]
}
