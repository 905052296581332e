import { afterAll, beforeAll, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type Store } from '../../main/store/index.ts'
import { crashPoints } from '../support/operations/dyingProcess.ts'
import { standStill } from '../support/operations/gatewayWorld.ts'
import { liveKinds } from '../support/operations/liveKinds.ts'
import { runLive } from '../support/operations/liveMatrix.ts'
import { runLogin } from '../support/operations/loginMatrix.ts'
import { runQueued, type Case, type Verdict } from '../support/operations/matrix.ts'
import { cacheModes, outcomeNames, outcomeOf } from '../support/operations/networkOutcomes.ts'
import { queuedKinds } from '../support/operations/queuedKinds.ts'

/** All of them (`npm run proof -- operations`), or so many that every kind meets every outcome, crash point and cache. */
const isWhole = process.env['FITTER_OPERATIONS'] === 'all'
/** Each case in words. */
const isTold = process.env['FITTER_OPERATIONS_TOLD'] !== undefined
const all = { network: 0, asked: 0 }
const deaths = [undefined, ...crashPoints]

function casesOf(kind: string, nth: number): Case[] {
  const all = outcomeNames.flatMap((outcome) => deaths.flatMap((crash) => cacheModes.map((cache): Case => ({ kind, outcome, crash, cache }))))
  if (isWhole) return all
  return outcomeNames.map((outcome, index) => ({ kind, outcome, crash: deaths[(index + nth) % deaths.length], cache: cacheModes[(index + nth) % 2] ?? 'none' }))
}

const folder = mkdtempSync(join(tmpdir(), 'fitter-operations-'))
let store: Store
let goOn: () => void
beforeAll(() => {
  store = openStore(folder)
  goOn = standStill()
})
afterAll(() => {
  goOn()
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

type Proof = (one: Case, seed: number) => Promise<Verdict>
const proofs: { name: string; prove: Proof }[] = [
  ...Object.entries(queuedKinds).map(([name, kind]) => ({ name, prove: ((one, seed) => runQueued(kind, one, { rows: store.operations, seed })) satisfies Proof })),
  ...Object.entries(liveKinds).map(([name, kind]) => ({ name, prove: ((one, seed) => runLive(kind, one, { store, seed })) satisfies Proof })),
  { name: 'the sign-in', prove: (one, seed) => runLogin(one, { rows: store.operations, seed }) }
]

test.for(proofs.map((proof, nth) => ({ ...proof, nth })))('$name: nothing is lost, doubled or claimed that is not there', { timeout: 600_000 }, async ({ name, prove, nth }) => {
  const tally = { runs: 0, died: 0, network: 0, asked: 0 }
  const harms: string[] = []
  for (const one of casesOf(name, nth)) {
    tally.runs += 1
    const verdict = await prove(one, tally.runs)
    const said = `${one.outcome}, dies ${one.crash ?? 'never'}, cache ${one.cache}: ${verdict.said}`
    if (verdict.hasCrashed) tally.died += 1
    if (outcomeOf(one.outcome).isNetworkAlone && one.crash === undefined) {
      tally.network += 1
      if (verdict.asksForPerson) tally.asked += 1
    }
    if (isTold) console.log(said)
    if (verdict.harms.length > 0) harms.push(`${verdict.harms.join(', ')}: ${said}`)
  }
  all.network += tally.network
  all.asked += tally.asked
  console.log(`${name}: ${String(tally.runs)} runs, ${String(tally.died)} deaths; a person is asked in ${String(tally.asked)} of ${String(tally.network)} where only the network is at fault`)
  expect(harms).toEqual([])
})

test('hardly anything asks for a person where only the network is at fault', () => {
  expect(all.asked).toBeLessThanOrEqual(all.network / 100)
})
