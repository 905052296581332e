// @module-tag long
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useOwnTable } from '../../world/gateway/operations/ownTable.ts'
import { runSequence, sequences, type Sequence } from '../../world/gateway/operations/sequence.ts'

/**
 * So many random sequences, always the same ones; the proof (`npm run proof -- operations [RUNS]`) makes hundreds of
 * others.
 */
const runs = Number(process.env['FITTER_OPERATIONS_RUNS'] ?? 20)
const seed = Number(process.env['FITTER_OPERATIONS_SEED'] ?? 31)

const table = useOwnTable()

async function prove(given: Sequence): Promise<void> {
  const { harms, story } = await runSequence(given, { rows: table().operations })
  expect(harms, story.join('\n')).toEqual([])
}

const calm: Sequence = {
  seed: 1,
  cache: 'none',
  works: [],
  hasChain: false,
  faults: [],
  crashes: [],
  switches: [],
  others: [],
  jumps: [],
  leaves: [],
  decisions: []
}

/** What once went wrong. */
const found: [string, Sequence][] = [
  [
    'a counter that was wanted before the clock of this computer was set, and the same from somebody else',
    {
      ...calm,
      seed: 537,
      works: [
        { kind: 'a counter that is set', n: 1, value: 1, at: 3 },
        { kind: 'a counter that is set', n: 1, value: 1, at: 3 }
      ],
      faults: [
        { outcome: 'cut JSON', work: 0, isRead: false },
        { outcome: '429', work: 0, isRead: true }
      ],
      crashes: [{ at: 7, point: 'after the bytes left' }],
      switches: [1],
      others: [{ at: 5, work: 0, value: 1 }],
      jumps: [{ at: 8, hours: 2, isOurs: true }]
    }
  ],
  [
    'a link whose reply is lost right after the clock of this computer was set',
    {
      ...calm,
      works: [
        { kind: 'a geofence', n: 0, value: 0, at: 0 },
        { kind: 'a link', n: 0, value: 0, at: 5 }
      ],
      faults: [{ outcome: 'applied, reply lost', work: 1, isRead: false }],
      jumps: [{ at: 5, hours: 3, isOurs: true }]
    }
  ],
  [
    'a link whose sender dies right after the clock of the gateway was set back',
    {
      ...calm,
      works: [{ kind: 'a key fob', n: 0, value: 0, at: 0 }],
      hasChain: true,
      crashes: [{ at: 3, point: 'after the bytes left' }],
      switches: [2, 1],
      jumps: [{ at: 1, hours: -1, isOurs: false }]
    }
  ],
  [
    'a proxy that makes an asset twice, with a key and a link that need it',
    {
      ...calm,
      seed: 914,
      works: [{ kind: 'an asset', n: 1, value: 2, at: 17 }],
      hasChain: true,
      faults: [{ outcome: 'applied twice by a proxy', work: 0, isRead: false }],
      switches: [6, 19]
    }
  ]
]

test.for(found)('%s', async ([, given]) => prove(given))

test(
  'whatever happens in whatever order, nothing is lost, doubled or claimed that is not there',
  { timeout: 3_600_000 },
  async () => {
    console.log(`${String(runs)} sequences, seed ${String(seed)}`)
    await fc.assert(fc.asyncProperty(sequences, prove), {
      numRuns: runs,
      seed,
      endOnFailure: process.env['FITTER_OPERATIONS_SHRINK'] === undefined
    })
  }
)
