// @module-tag long
import { expect, test } from 'vitest'
import { proveKind } from '../../world/gateway/operations/everyCase.ts'
import { runQueued } from '../../world/gateway/operations/matrix.ts'
import { useOwnTable } from '../../world/gateway/operations/ownTable.ts'
import { queuedKinds } from '../../world/gateway/operations/queuedKinds.ts'

/** Every kind of gateway work that can wait, through all that a network, a gateway and a dying process do. */
const table = useOwnTable()
const all = { runs: 0, asked: 0 }

test.for(Object.entries(queuedKinds).map(([name, kind], nth) => ({ name, kind, nth })))(
  '$name: nothing is lost, doubled or claimed that is not there',
  { timeout: 1_800_000 },
  async ({ name, kind, nth }) => {
    const { network, harms } = await proveKind(name, nth, (one, seed) =>
      runQueued(kind, one, { rows: table().operations, seed })
    )
    all.runs += network.runs
    all.asked += network.asked
    expect(harms).toEqual([])
  }
)

test('hardly anything asks for a person where only the network is at fault', () => {
  expect(all.asked).toBeLessThanOrEqual(all.runs / 100)
})
