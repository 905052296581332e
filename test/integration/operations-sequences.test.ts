import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '../../main/store/index.ts'
import { standStill } from '../support/operations/gatewayWorld.ts'
import { runSequence, sequences, type Sequence } from '../support/operations/sequence.ts'

/** So many random sequences; the proof (`npm run proof -- operations [RUNS]`) makes hundreds. */
const runs = Number(process.env['FITTER_OPERATIONS_RUNS'] ?? 20)
const seed = Number(process.env['FITTER_OPERATIONS_SEED'] ?? Date.now() % 1_000_000)

const folder = mkdtempSync(join(tmpdir(), 'fitter-sequences-'))
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

async function prove(given: Sequence): Promise<void> {
  const { harms, story } = await runSequence(given, { rows: store.operations })
  expect(harms, story.join('\n')).toEqual([])
}

test('whatever happens in whatever order, nothing is lost, doubled or claimed that is not there', { timeout: 3_600_000 }, async () => {
  console.log(`${String(runs)} sequences, seed ${String(seed)}`)
  await fc.assert(fc.asyncProperty(sequences, prove), { numRuns: runs, seed, endOnFailure: process.env['FITTER_OPERATIONS_SHRINK'] === undefined })
})
