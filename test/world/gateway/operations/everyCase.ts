import { crashPoints } from './dyingProcess.ts'
import type { Case, Verdict } from './matrix.ts'
import { cacheModes, outcomeNames, outcomeOf } from './networkOutcomes.ts'

/**
 * All of them (`npm run proof -- operations`), or so many that every kind meets every outcome, crash point and cache.
 */
const isWhole = process.env['FITTER_OPERATIONS'] === 'all'
/** Each case in words. */
const isTold = process.env['FITTER_OPERATIONS_TOLD'] !== undefined
const deaths = [undefined, ...crashPoints]

interface Share {
  runs: number
  asked: number
}

export interface Tally {
  runs: number
  died: number
  /** Where only the network was at fault, and where the process died as well. */
  network: Share
  withDeaths: Share
  harms: string[]
}

function casesOf(kind: string, nth: number): Case[] {
  if (isWhole)
    return outcomeNames.flatMap((outcome) =>
      deaths.flatMap((crash) => cacheModes.map((cache): Case => ({ kind, outcome, crash, cache })))
    )
  return outcomeNames.map((outcome, index) => ({
    kind,
    outcome,
    crash: deaths[(index + nth) % deaths.length],
    cache: cacheModes[(index + nth) % 2] ?? 'none'
  }))
}

/** Leads a kind through its cases, one after the other. */
export async function proveKind(
  name: string,
  nth: number,
  prove: (one: Case, seed: number) => Promise<Verdict>
): Promise<Tally> {
  const tally: Tally = {
    runs: 0,
    died: 0,
    network: { runs: 0, asked: 0 },
    withDeaths: { runs: 0, asked: 0 },
    harms: []
  }
  for (const one of casesOf(name, nth)) {
    tally.runs += 1
    const verdict = await prove(one, tally.runs)
    const said = `${one.outcome}, dies ${one.crash ?? 'never'}, cache ${one.cache}: ${verdict.said}`
    if (verdict.hasCrashed) tally.died += 1
    if (outcomeOf(one.outcome).isNetworkAlone) {
      const share = one.crash === undefined ? tally.network : tally.withDeaths
      share.runs += 1
      if (verdict.asksForPerson) share.asked += 1
    }
    if (isTold) console.log(said)
    if (verdict.harms.length > 0) tally.harms.push(`${verdict.harms.join(', ')}: ${said}`)
  }
  const { network, withDeaths } = tally
  console.log(
    `${name}: ${String(tally.runs)} runs, ${String(tally.died)} deaths, ${String(tally.harms.length)} harms; a person is asked in ${String(network.asked)} of ${String(network.runs)} where only the network is at fault, in ${String(withDeaths.asked)} of ${String(withDeaths.runs)} where the process dies as well`
  )
  return tally
}
