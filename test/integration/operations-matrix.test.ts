import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '../../main/store/index.ts'
import { crashPoints } from '../support/operations/dyingProcess.ts'
import { standStill } from '../support/operations/gatewayWorld.ts'
import { runQueued } from '../support/operations/matrix.ts'
import { cacheModes, outcomeNames, outcomeOf } from '../support/operations/networkOutcomes.ts'
import { queuedKinds } from '../support/operations/queuedKinds.ts'
import { mkdtempSync } from 'node:fs'

let store: Store
let moveAgain: () => void
beforeAll(() => {
  store = openStore(mkdtempSync('/dev/shm/fitter-operations-'))
  moveAgain = standStill()
})
afterAll(() => {
  moveAgain()
  store.close()
})

const only = process.env['ONLY']
test.for(Object.entries(queuedKinds).filter(([name]) => only === undefined || name === only))('%s', { timeout: 600_000 }, async ([name, kind]) => {
  let runs = 0, person = 0, network = 0, died = 0
  const bad: string[] = []
  const asks: string[] = []
  for (const cache of cacheModes) for (const outcome of outcomeNames) for (const crash of [undefined, ...crashPoints]) {
    runs += 1
    const verdict = await runQueued(kind, { kind: name, outcome, crash, cache }, { rows: store.operations, seed: runs })
    const line = `${name}, ${outcome}, dies ${crash ?? 'never'}, cache ${cache}: ${verdict.said}`
    if (verdict.hasCrashed) died += 1
    if (verdict.harms.length > 0) bad.push(`${verdict.harms.join('+')}: ${line}`)
    if (outcomeOf(outcome).isNetworkAlone) {
      network += 1
      if (verdict.asksForPerson) { person += 1; asks.push(line) }
    }
  }
  console.log(`${name}: ${runs} runs, ${died} died, person ${person}/${network}\n${asks.slice(0, 12).join('\n')}`)
  expect(bad).toEqual([])
})
