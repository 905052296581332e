import { afterAll, beforeEach, expect, test } from 'vitest'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { createInstallationGateway } from '../../../main/gateway/client/vehicles/installation.ts'
import { createOperations, type Operations } from '../../../main/gateway/waitingWork/engine.ts'
import { entitiesLink, linkKey, linkKind, linkTitle } from '../../../main/gateway/waitingWork/kinds/entitiesLink.ts'
import { startGateway } from '../../../simulator/gateway/gateway.ts'
import type { Fault } from '../../../simulator/gateway/types.ts'
import { openTestStore } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const gateway = await startGateway({
  devices: [{ imei: '356938035643809', model: 'ft4', iccid: '8934071100276980483', lat: 40.4, lon: -3.7 }],
  rateTiers: { other: [{ requests: 5_000, perSeconds: 60 }] }
})
afterAll(() => gateway.stop())

const graceMs = 400
const cacheLagMs = 150
const never = new AbortController().signal

let used = 0
beforeEach(() => {
  gateway.setFault(null)
  gateway.violations.length = 0
})

/** A fresh process over the same table: its own client, its own waits. Only a gateway that hangs is given up soon. */
function startOperations(
  rows: ReturnType<typeof openTestStore>['operations'],
  timeoutMs = 30_000
): { operations: Operations; close: () => void } {
  const client = createGatewayClient({
    url: gateway.url,
    credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password }),
    timeoutMs
  })
  const operations = createOperations({
    rows,
    kinds: [entitiesLink(createInstallationGateway(() => Promise.resolve(client)))],
    clockDifferenceMs: () => (client.clockDifferenceS() ?? 0) * 1000,
    graceMs,
    cacheLagMs,
    changed: () => undefined
  })
  return { operations, close: () => client.close() }
}

/** Another vehicle and trailer for each test, so that one link is never taken for another's. */
function nextPair() {
  const vehicle = gateway.state.vehicles.filter(({ groups }) => groups.some((group) => group === 1 || group === 2))[
    used
  ]
  const trailers = gateway.state.assets.filter(({ name }) => name.startsWith('Trailer'))
  const trailer = trailers[used % trailers.length]
  used += 1
  if (!vehicle || !trailer) throw new Error('The simulated gateway has too few vehicles or trailers')
  return { vehicle, trailer }
}

function addLink(operations: Operations, { vehicle, trailer }: ReturnType<typeof nextPair>): string {
  const payload = { primary: { id: vehicle.id, text: vehicle.name }, secondary: { id: trailer.id, text: trailer.name } }
  return operations.add({
    kind: linkKind,
    key: linkKey(payload.primary),
    title: linkTitle(payload),
    payload,
    jobId: null,
    draft: false
  }).id
}

function countLinks({ vehicle, trailer }: ReturnType<typeof nextPair>): number {
  return gateway.state.links.filter((link) => link.primary === vehicle.id && link.secondary === trailer.id).length
}

async function passUntilRest(operations: Operations, id: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await operations.pass(never)
        return operations.get(id)?.state
      },
      { interval: 20 }
    )
    .toMatch(/^(done|failed|needsAttention)$/)
}

const once = (fault: Fault): Fault => ({ ...fault, operation: 'entities.link', times: 1 })

test.for<[string, Fault | null, string, number, number]>([
  // fault, what it is, final state, effects, requests that reached the gateway
  ['nothing goes wrong', null, 'done', 1, 1],
  ['the connection breaks before the effect', once({ resetBefore: true }), 'done', 1, 2],
  ['the connection breaks after the effect', once({ resetAfter: true }), 'done', 1, 1],
  ['the reply is cut in the middle', once({ truncated: true }), 'done', 1, 1],
  ['the gateway hangs without an effect', once({ hang: true }), 'done', 1, 2],
  ['the gateway hangs after the effect', once({ hang: true, after: true }), 'done', 1, 1],
  ['the effect comes after the connection broke', once({ lateMs: 250 }), 'done', 1, 1],
  ['500 without an effect', once({ status: 500 }), 'done', 1, 2],
  ['500 after the effect', once({ status: 500, after: true }), 'done', 1, 1],
  ['a sign-in page instead of the gateway', once({ html: true }), 'done', 1, 2],
  ['a sign-in page after the effect', once({ html: true, after: true }), 'done', 1, 1],
  ['the token has expired', once({ status: 401 }), 'done', 1, 2],
  ['too many requests', once({ status: 429, resetAfterS: 1 }), 'done', 1, 2],
  ['409 although it is not there', once({ status: 409 }), 'needsAttention', 0, 1],
  ['409 and it is ours', once({ status: 409, after: true }), 'done', 1, 1],
  ['400', once({ status: 400 }), 'failed', 0, 1],
  ['403', once({ status: 403 }), 'failed', 0, 1],
  ['404', once({ status: 404 }), 'needsAttention', 0, 1]
])(
  'when %s, a link ends in the right state with the right number of effects',
  async ([, fault, state, effects, requests]) => {
    const { operations } = openTestStore(tempFolder())
    const process = startOperations(operations, fault?.hang === true ? 600 : undefined)
    const pair = nextPair()
    const id = addLink(process.operations, pair)
    const before = gateway.requests.length
    gateway.setFault(fault)
    await passUntilRest(process.operations, id)
    expect(process.operations.get(id)).toMatchObject({ state })
    expect(countLinks(pair)).toBe(effects)
    expect(gateway.requests.slice(before).filter(({ operation }) => operation === 'entities.link')).toHaveLength(
      requests
    )
    if (state === 'done') expect(process.operations.get(id)?.evidence.length).toBeGreaterThan(0)
    expect(gateway.violations).toEqual([])
    process.close()
  }
)

test('a process that dies while the gateway hangs is followed by one that reads back, and the effect stays one', async () => {
  const { operations: rows } = openTestStore(tempFolder())
  const pair = nextPair()
  const first = startOperations(rows)
  const id = addLink(first.operations, pair)
  gateway.setFault(once({ hang: true, after: true }))
  const dying = first.operations.pass(never)
  dying.catch(() => undefined)
  await expect.poll(() => countLinks(pair), { interval: 5 }).toBe(1)
  expect(rows.get(id)?.state).toBe('sending')
  // The next process over the same table, while the first one would still be waiting for its answer.
  const second = startOperations(rows)
  expect(rows.get(id)?.state).toBe('unknown')
  await passUntilRest(second.operations, id)
  expect([rows.get(id)?.state, rows.get(id)?.attempts, countLinks(pair)]).toEqual(['done', 1, 1])
  // Now the wait of the first one ends as well. Its late word is no move that is allowed any more; between two real
  // processes the fence refuses it before that.
  gateway.setOnline(false)
  await expect(dying).rejects.toThrow('is done and cannot become unknown')
  gateway.setOnline(true)
  expect(rows.get(id)?.state).toBe('done')
  first.close()
  second.close()
})

test('work that was named while the gateway was away is finalised when it is back, and stays while it is away', async () => {
  const { operations: rows } = openTestStore(tempFolder())
  const pair = nextPair()
  const { operations, close } = startOperations(rows)
  const payload = { primary: { id: null, text: pair.vehicle.name }, secondary: { id: null, text: pair.trailer.name } }
  const { id } = operations.add({
    kind: linkKind,
    key: linkKey(payload.primary),
    title: linkTitle(payload),
    payload,
    jobId: null,
    draft: true
  })
  const nobody = operations.add({
    kind: linkKind,
    key: 'vehicle:no such',
    title: linkTitle(payload),
    payload: { primary: { id: null, text: 'no such vehicle' }, secondary: { id: null, text: 'x' } },
    jobId: null,
    draft: true
  })
  gateway.setOnline(false)
  await operations.pass(never)
  expect(rows.get(id)).toMatchObject({ state: 'draft', reason: { id: 'operations.waits' } })
  gateway.setOnline(true)
  const { operations: later, close: closeLater } = startOperations(rows)
  await passUntilRest(later, id)
  expect(rows.get(id)).toMatchObject({ state: 'done', key: `vehicle:${pair.vehicle.id}` })
  expect(countLinks(pair)).toBe(1)
  expect(rows.get(nobody.id)).toMatchObject({
    state: 'needsAttention',
    reason: { id: 'operations.nameOfNone', values: { text: 'no such vehicle' } }
  })
  close()
  closeLater()
})
