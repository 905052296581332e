import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAccessoryWork } from '../../../main/gateway/client/accessories/accessoryWork.ts'
import { createVehicleGateway } from '../../../main/gateway/client/vehicles/vehicles.ts'
import { startGateway } from '../../../simulator/gateway/gateway.ts'
import { clientOf } from '../../world/gateway/mixedWork.ts'
import { makeReport } from '../unit/simulator/gatewayClient.ts'

const tier = [{ requests: 5_000, perSeconds: 60 }]
const gateway = await startGateway({ devices: [], delayMs: 0, vehicles: 40, rateTiers: { data: tier, other: tier } })
const client = clientOf(gateway)
afterAll(async () => {
  client.close()
  await gateway.stop()
})

const work = createAccessoryWork(() => Promise.resolve(client))
const { readReports } = createVehicleGateway(() => Promise.resolve(client))
const { signal } = new AbortController()
const isOurs = ({ groups }: { groups: number[] }) => groups.some((group) => group === 1 || group === 2)
const carriers = gateway.state.vehicles.filter((vehicle) => isOurs(vehicle) && vehicle.device !== null).slice(0, 8)
const sims = gateway.state.sims
  .filter(({ imei }) => gateway.state.vehicles.some((vehicle) => isOurs(vehicle) && vehicle.device === imei))
  .slice(0, 8)

beforeEach(() => {
  gateway.setFault(null)
  gateway.requests.length = 0
})

/** What was asked, without the sign-in. */
function asked(): (string | null)[] {
  return gateway.requests.map(({ operation }) => operation).filter((operation) => operation !== 'session.login')
}

const readSim = ({ iccid, id }: { iccid: string; id: number }, wording: 1 | 2 = 1) =>
  work.readSim({ iccid, resourceId: id }, { wording, signal })

test('SIM records that are wanted at the same time are read from one list', async () => {
  expect(sims).toHaveLength(8)
  for (const [n, sim] of sims.entries()) sim.line_number = `+34 600 ${String(n)}`
  const read = await Promise.all(sims.map((sim) => readSim(sim)))
  expect(read.map(({ resourceId, lineNumber }) => [resourceId, lineNumber])).toEqual(
    sims.map(({ id }, n) => [id, `+34 600 ${String(n)}`])
  )
  expect(asked()).toEqual(['sims.list'])
})

test('one alone, and the second wording of a look, ask for the record', async () => {
  const [sim] = sims
  if (!sim) throw new Error('There is no SIM')
  await readSim(sim)
  await Promise.all(sims.map((one) => readSim(one, 2)))
  expect(asked()).toEqual(Array.from({ length: 9 }, () => 'sims.get'))
})

test('a list that fails, or lacks one of them, costs the others nothing', async () => {
  gateway.setFault({ operation: 'sims.list', status: 500 })
  const unknown = { iccid: '89000000000000000000', id: 999_999 }
  const read = await Promise.allSettled([...sims, unknown].map((sim) => readSim(sim)))
  expect(read.map(({ status }) => status)).toEqual([...sims.map(() => 'fulfilled'), 'rejected'])
  gateway.setFault(null)
  gateway.requests.length = 0
  await Promise.allSettled([...sims, unknown].map((sim) => readSim(sim)))
  expect(asked()).toEqual(['sims.list', 'sims.get'])
})

test('keys that are looked for at the same time share the list, and the next look reads it anew', async () => {
  const [asset] = gateway.state.assets.filter(isOurs)
  if (!asset) throw new Error('There is no asset')
  const ids = Array.from({ length: 5 }, (_, n) => `A1B2C3D4E5F600${String(n).padStart(2, '0')}`)
  const look = () => Promise.all(ids.map((id) => work.findKey(id, asset.id, { wording: 1, signal })))
  expect((await look()).map(({ assetId }) => assetId)).toEqual(ids.map(() => undefined))
  gateway.state.ibuttons.push({ id: ids[3] ?? '', entity: asset.id })
  expect((await look()).map(({ assetId }) => assetId)).toEqual([undefined, undefined, undefined, asset.id, undefined])
  expect(asked()).toEqual(['ibuttons.list', 'ibuttons.list'])
})

test('references that no search finds share the walk through the whole list', async () => {
  const refs = Array.from({ length: 4 }, (_, n) => `ref:01ARZ3NDEKTSV4RRFFQ69G500${String(n)}`)
  const found = await Promise.all(refs.map((ref) => work.assets.hasReference(ref, { wording: 2, signal })))
  expect(found.map((one) => one.found)).toEqual([false, false, false, false])
  expect(asked()).toEqual(['assets.list'])
})

test('what the devices of many vehicles counted is asked in two questions, each by its own time', async () => {
  const startS = Math.floor(Date.now() / 1000) - 3_600
  for (const [n, { device }] of carriers.entries()) {
    for (const atS of [startS, startS + 600 + n])
      gateway.receive(makeReport({ imei: String(device), deviceTimeMs: atS * 1000 }))
  }
  const sinceMs = (n: number) => (startS + 300 + n) * 1000
  const together = await Promise.all(
    carriers.map(({ id }, n) => readReports(id, 'dev_dist', { sinceMs: sinceMs(n), signal }))
  )
  expect(asked()).toEqual(['rawdata.query', 'rawdata.query'])
  const alone: typeof together = []
  for (const [n, { id }] of carriers.entries())
    alone.push(await readReports(id, 'dev_dist', { sinceMs: sinceMs(n), signal }))
  expect(together).toEqual(alone)
  expect(
    together.every(({ lastReportMs, shown, counted }) => lastReportMs !== null && shown !== null && counted !== null)
  ).toBe(true)
})

test('a vehicle that may not be asked for fails alone', async () => {
  const stranger = gateway.state.vehicles.find((vehicle) => !isOurs(vehicle))
  if (!stranger) throw new Error('The user sees every vehicle')
  const ids = [...carriers.map(({ id }) => id), stranger.id]
  const read = await Promise.allSettled(
    ids.map((id) => readReports(id, 'dev_dist', { sinceMs: Date.now() - 60_000, signal }))
  )
  expect(read.map(({ status }) => status)).toEqual([...carriers.map(() => 'fulfilled'), 'rejected'])
})

test('a counter without its like in events is read alone, and the name is not tried again', async () => {
  const ask = () =>
    Promise.all(carriers.map(({ id }) => readReports(id, 'ecu_dist', { sinceMs: Date.now() - 60_000, signal })))
  expect((await ask()).map(({ shown }) => shown)).toEqual(carriers.map(() => null))
  expect(gateway.requests.map(({ status }) => status)).toEqual([400, 200])
  gateway.requests.length = 0
  await ask()
  expect(gateway.requests.map(({ status }) => status)).toEqual([200])
})
