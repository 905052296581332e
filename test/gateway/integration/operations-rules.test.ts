import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers'
import { expect, test } from 'vitest'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { OperationStore, StoredOperation } from '../../../main/data/store/work/operations.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { openGatewayWorld, type Sabotage } from '../../world/gateway/operations/gatewayWorld.ts'
import { runQueued, type Case, type Harm } from '../../world/gateway/operations/matrix.ts'
import { useOwnTable } from '../../world/gateway/operations/ownTable.ts'
import { queuedKinds, type QueuedKind } from '../../world/gateway/operations/queuedKinds.ts'
import { runSequence, type Sequence } from '../../world/gateway/operations/sequence.ts'

/** Each rule of docs/operations.md left out, in the world of the test: whoever breaks one is caught here. */

const table = useOwnTable()

interface Removal extends Omit<Case, 'kind'> {
  rule: string
  kind: string
  without: Sabotage
  harm: Harm
}

const never = new AbortController().signal
const late = { kind: 'a geofence', outcome: 'applied late', crash: undefined, cache: 'none' } as const
/** The table with the intent written only when the answer is. */
function withoutIntent(rows: OperationStore): OperationStore {
  const heldBack = new Map<string, Parameters<OperationStore['beginAttempt']>>()
  return {
    ...rows,
    beginAttempt: (...attempt) => void heldBack.set(attempt[0], attempt),
    change(id, change) {
      rows.together(() => {
        const attempt = heldBack.get(id)
        if (attempt) rows.beginAttempt(...attempt)
        rows.change(id, change)
      })
      heldBack.delete(id)
    }
  }
}

const edited = (row: StoredOperation): StoredOperation => ({
  ...row,
  payload: { ...(row.payload as { assetId: number }), assetId: (row.payload as { assetId: number }).assetId + 1 }
})

const removals: Removal[] = [
  {
    ...late,
    rule: '1, intent first',
    outcome: 'ok',
    crash: 'after the bytes left',
    without: { rows: withoutIntent },
    harm: 'doubled'
  },
  {
    ...late,
    rule: '2, what was on its way is unknown',
    crash: 'after the bytes left',
    without: {
      beforeStart(rows) {
        for (const { id, state } of rows.unfinished())
          if (state === 'sending') rows.change(id, { state: 'pending', reason: plainMessage(''), at: '' })
      }
    },
    harm: 'doubled'
  },
  { ...late, rule: '3, grace', without: { graceMs: 0 }, harm: 'doubled' },
  {
    ...late,
    rule: '4, read twice and differently worded',
    cache: 'byRequest',
    without: {
      cacheLagMs: 0,
      lookEveryMs: 16_000,
      stepMs: 2_000,
      kind: (kind) => ({ ...kind, look: (payload, request) => kind.look(payload, { ...request, wording: 1 }) })
    },
    harm: 'doubled'
  },
  {
    ...late,
    rule: '5, evidence',
    outcome: 'lost before',
    without: {
      kind: (kind) => ({
        ...kind,
        send: (...args) => kind.send(...args).catch(() => ({ what: plainMessage('It must be there.'), raw: null }))
      })
    },
    harm: 'false done'
  },
  {
    ...late,
    rule: '7, the payload is frozen',
    kind: 'a key fob',
    outcome: 'ok',
    without: {
      rows: (rows) => ({
        ...rows,
        get: (id) => withEdit(rows.get(id)),
        unfinished: () => rows.unfinished().map(edited)
      })
    },
    harm: 'false done'
  },
  {
    ...late,
    rule: '10, nothing is repeated by itself',
    outcome: 'applied, reply lost',
    without: { kind: (kind) => ({ ...kind, send: (...args) => kind.send(...args).catch(() => kind.send(...args)) }) },
    harm: 'doubled'
  }
]

function withEdit(row: StoredOperation | undefined): StoredOperation | undefined {
  return row && edited(row)
}

test.for(removals)(
  'without rule $rule there is harm ($harm), and with it there is none',
  async ({ kind: name, without, harm, ...one }) => {
    const kind = queuedKinds[name] as QueuedKind
    const prove = (sabotage: Sabotage) =>
      runQueued(kind, { kind: name, ...one }, { rows: table().operations, seed: 1, sabotage })
    // The same looks and the same steps, with the rule.
    const { lookEveryMs, stepMs } = without
    const kept = await prove({ ...(lookEveryMs ? { lookEveryMs } : {}), ...(stepMs ? { stepMs } : {}) })
    expect(kept.harms, kept.said).toEqual([])
    const broken = await prove(without)
    expect(broken.harms, broken.said).toContain(harm)
  }
)

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

test('without rule 6 a younger one overtakes, and with it none does', async () => {
  const link = { kind: 'a link', n: 0 }
  const given: Sequence = {
    ...calm,
    works: [
      { ...link, value: 0, at: 0 },
      { ...link, value: 1, at: 1 }
    ],
    faults: [{ outcome: 'lost before', work: 0, isRead: false }]
  }
  expect((await runSequence(given, { rows: table().operations })).harms).toEqual([])
  const alone = (row: StoredOperation): StoredOperation => ({ ...row, key: row.id })
  const sabotage: Sabotage = {
    rows: (rows) => ({ ...rows, unfinished: () => rows.unfinished().map(alone), youngerSent: () => [] })
  }
  expect((await runSequence(given, { rows: table().operations, sabotage })).harms).toContainEqual(
    expect.stringMatching(/^overtaken/)
  )
})

test('without rule 9 a clock that is set doubles an effect, and with it none does', async () => {
  const given: Sequence = {
    ...calm,
    works: [{ kind: 'a geofence', n: 0, value: 0, at: 0 }],
    faults: [{ outcome: 'applied late', work: 0, isRead: false }],
    jumps: [{ at: 1, hours: 3, isOurs: true }]
  }
  expect((await runSequence(given, { rows: table().operations })).harms).toEqual([])
  expect(
    (await runSequence(given, { rows: table().operations, sabotage: { monotonicMs: () => Date.now() } })).harms
  ).toContainEqual(expect.stringMatching(/^doubled/))
})

test.for([true, false])(
  'rule 8: a process whose folder was taken over (%s) writes nothing more',
  async (isTakenOver) => {
    const own = mkdtempSync(join(tmpdir(), 'fitter-fence-'))
    const kept = openStore(own)
    const kind = queuedKinds['a geofence'] as QueuedKind
    const world = await openGatewayWorld({ rows: kept.operations, cache: 'none', seed: 1 }, [kind.operation])
    try {
      const { operations } = world.start()
      const { id } = operations.add({ ...kind.work(world.gateway, 0), title: plainMessage('work'), jobId: null })
      const pass = operations.pass(never)
      while (kept.operations.get(id)?.state !== 'sending') await new Promise<void>((resolve) => setImmediate(resolve))
      if (isTakenOver) takeOver(kept.file)
      const failure = await world.over(pass).then(
        () => undefined,
        (error: unknown) => error
      )
      // Without the fence its late word would stand beside that of the process that has the folder now.
      if (!isTakenOver) expect([failure, kept.operations.get(id)?.state]).toEqual([undefined, 'done'])
      else
        expect([failure instanceof AppError && failure.code, kept.operations.get(id)?.state]).toEqual([
          'DATA_LOCKED',
          'sending'
        ])
    } finally {
      await world.close()
      kept.close()
      rmSync(own, { recursive: true, force: true })
    }
  }
)

/** What another process does that opens the folder. */
function takeOver(file: string): void {
  const other = new Database(file)
  other.prepare("update setting set value = value + 1 where name = '$fence'").run()
  other.close()
}
