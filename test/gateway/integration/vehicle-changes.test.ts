import { expect, onTestFinished, test } from 'vitest'
import { imei } from '../../world/data/parkedReport.ts'
import { sendJson, startScriptedServer } from '../../world/device/scriptedServer.ts'
import { callsOf, openCore, openGateway, signal, signedIn } from '../../world/gateway/vehicleCalls.ts'

test('a set odometer is accepted until a report shows it, and only then done', async () => {
  const gateway = await openGateway()
  const { core, calls } = await signedIn(gateway)
  const vehicle = gateway.state.vehicles.find((candidate) => candidate.device === Number(imei))
  const device = gateway.state.devices.find((candidate) => candidate.imei === Number(imei))
  if (!vehicle || !device) throw new Error('no vehicle')
  const { operationId } = await calls['vehicles.setCounter'](
    { id: vehicle.id, counter: 'dev_dist', value: 120_000_000 },
    signal
  )
  await core.operations.pass(signal)
  expect(core.operations.get(operationId)).toMatchObject({
    state: 'accepted',
    reason: { id: 'operations.counterAccepted' }
  })
  device.reportCount += 1
  // What waits for a report is looked for seldom, unless somebody wants to see it.
  core.operations.tryNow([operationId])
  await core.operations.pass(signal)
  expect(core.operations.get(operationId)).toMatchObject({ state: 'done' })
  expect(gateway.requests.filter((request) => request.operation === 'counters.setGlobal')).toHaveLength(1)
  await expect(
    Promise.resolve(calls['vehicles.setCounter']({ id: vehicle.id, counter: 'dev_tot_avg_speed', value: 1 }, signal))
  ).rejects.toMatchObject({
    code: 'INVALID_REQUEST'
  })
})

test('a counter of its own is created once, also when the reply is lost', async () => {
  const gateway = await openGateway()
  const { core, calls } = await signedIn(gateway)
  const vehicle = gateway.state.vehicles.find((candidate) => candidate.device === Number(imei))
  gateway.setFault({ operation: 'counters.create', resetAfter: true, times: 1 })
  const { operationId } = await calls['vehicles.createCounter'](
    { id: vehicle?.id ?? 0, counter: 'dev_dist', initialValue: 5000, description: 'Oil change' },
    signal
  )
  await core.operations.pass(signal)
  expect(core.operations.get(operationId)).toMatchObject({ state: 'done' })
  expect(gateway.state.userCounters).toHaveLength(1)
  expect((await calls['vehicles.counters']({ id: vehicle?.id ?? 0 }, signal)).user).toMatchObject([
    { description: 'Oil change' }
  ])
})

test('a gateway that refuses the undocumented update gets it once, and the back office gets a note', async () => {
  const gateway = await openGateway()
  const { core, calls } = await signedIn(gateway)
  const free = gateway.state.vehicles.find(
    (candidate) => candidate.device === null && candidate.groups.some((group) => group !== 3)
  )
  if (!free) throw new Error('no vehicle without a device')
  const result = await calls['vehicles.assignDevice']({ id: free.id, imei, confirmed: true }, signal)
  expect(result).toMatchObject({ kind: 'notAssigned' })
  await core.operations.pass(signal)
  const [sent, note] = core.operations.list()
  expect(sent).toMatchObject({ kind: 'vehicles.assignDevice', isLive: true, state: 'cancelled', attempts: 1 })
  expect(note).toMatchObject({
    kind: 'note.assignDevice',
    state: 'needsAttention',
    title: { id: 'operations.officeNote', values: { vehicle: free.name, imei } }
  })
  expect(
    gateway.requests.filter(({ method, path: where }) => method === 'PUT' && where.includes(`/vehicles/${free.id}`))
  ).toHaveLength(1)
  // Done by the back office meanwhile: "send again" only looks, and closes the note.
  free.device = Number(imei)
  if (note) core.operations.retry(note.id, 'the back office says it is done')
  await core.operations.pass(signal)
  expect(core.operations.list()[1]).toMatchObject({ state: 'done' })
  expect(gateway.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
})

test('an update whose answer is lost and that cannot be read back stays written down, with a note that closes by itself', async () => {
  const record: Record<string, unknown> = { id: 5, name: 'Unit 5', info: {}, device: null, groups: [1] }
  let puts = 0
  let isBroken = false
  const server = await startScriptedServer((request, response) => {
    if (request.path === '/api/login') return sendJson(response, { auth: 'token-of-this-test' })
    if (request.method === 'PUT') {
      puts += 1
      isBroken = true
    }
    if (isBroken) return void response.socket?.destroy()
    return sendJson(
      response,
      request.path === '/api/user' ? { id: 1, username: 'someone', scopes: {}, groups: [1] } : record
    )
  })
  onTestFinished(() => server.stop())
  const core = openCore()
  const calls = callsOf(core)
  await calls['gateway.signIn'](
    { url: `http://${server.address}/api`, user: 'someone', password: 'a-password', scheme: { kind: 'normal' } },
    signal
  )
  const result = await calls['vehicles.assignDevice']({ id: 5, imei, confirmed: true }, signal)
  expect(result).toMatchObject({ kind: 'unknown', detail: { id: 'vehicles.assignUnknown' } })
  const [sent, note] = core.operations.list()
  expect(sent).toMatchObject({ kind: 'vehicles.assignDevice', state: 'expired', attempts: 1 })
  expect(core.store.operations.attempts(sent?.id ?? '')).toMatchObject([{ outcome: expect.stringMatching(/^unknown/) }])
  expect(note?.id).toBe('operationId' in result ? result.operationId : undefined)
  isBroken = false
  await core.operations.settle(signal)
  expect(core.operations.get(note?.id ?? '')).toMatchObject({ kind: 'note.assignDevice', state: 'needsAttention' })
  expect(puts).toBe(1)
})

test('an update that changes more than the device is told field by field', async () => {
  const record: Record<string, unknown> = {
    id: 5,
    name: 'Unit 5',
    info: { license_plate: 'AB 1' },
    device: null,
    groups: [1]
  }
  const bodies: unknown[] = []
  const server = await startScriptedServer((request, response) => {
    if (request.path === '/api/login') return sendJson(response, { auth: 'token-of-this-test' })
    if (request.method === 'PUT') {
      bodies.push(JSON.parse(request.body))
      Object.assign(record, { device: Number(imei), info: {} })
    }
    return sendJson(
      response,
      request.path === '/api/user' ? { id: 1, username: 'someone', scopes: {}, groups: [1] } : record
    )
  })
  onTestFinished(() => server.stop())
  const core = openCore()
  const calls = callsOf(core)
  await calls['gateway.signIn'](
    { url: `http://${server.address}/api`, user: 'someone', password: 'a-password', scheme: { kind: 'normal' } },
    signal
  )
  const result = await calls['vehicles.assignDevice']({ id: 5, imei, confirmed: true }, signal)
  expect(bodies).toEqual([{ device: Number(imei) }])
  expect(result).toMatchObject({
    kind: 'changedMore',
    fields: [{ field: 'info', before: { license_plate: 'AB 1' }, after: {} }]
  })
})
