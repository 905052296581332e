import { afterAll, expect, test } from 'vitest'
import { createGatewayClient } from '../../../../main/gateway/client/client.ts'
import { createInstallationGateway } from '../../../../main/gateway/client/vehicles/installation.ts'
import { createOperations } from '../../../../main/gateway/waitingWork/engine.ts'
import { entitiesLink, linkKey, linkKind, linkTitle } from '../../../../main/gateway/waitingWork/kinds/entitiesLink.ts'
import {
  ibuttonKey,
  ibuttonsCreate,
  ibuttonsCreateKind,
  ibuttonTitle
} from '../../../../main/gateway/waitingWork/kinds/ibuttonsCreate.ts'
import { createAccessoryWork } from '../../../../main/gateway/client/accessories/accessoryWork.ts'
import { startGateway } from '../../../../simulator/gateway/gateway.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const gateway = await startGateway({
  devices: [],
  vehicles: 60,
  rateTiers: { other: [{ requests: 5_000, perSeconds: 60 }] }
})
const client = createGatewayClient({
  url: gateway.url,
  credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password })
})
afterAll(async () => {
  client.close()
  await gateway.stop()
})

const signal = new AbortController().signal
const installation = createInstallationGateway(() => Promise.resolve(client))
const visible = (groups: readonly number[]): boolean => groups.some((group) => group === 1 || group === 2)
const vehicles = gateway.state.vehicles.filter(({ groups }) => visible(groups))
const trailers = gateway.state.assets.filter(({ name, groups }) => name.startsWith('Trailer') && visible(groups))

function startEngine() {
  return createOperations({
    rows: openTestStore(tempFolder()).operations,
    kinds: [
      entitiesLink(installation),
      ibuttonsCreate({ ...createAccessoryWork(() => Promise.resolve(client)), findExact: installation.findExact })
    ] as never,
    clockDifferenceMs: () => null,
    changed: () => undefined
  })
}

async function linkByText(vehicle: string, trailer: string) {
  const operations = startEngine()
  const payload = { primary: { id: null, text: vehicle }, secondary: { id: null, text: trailer } }
  const { id } = operations.add({
    kind: linkKind,
    key: linkKey(payload.primary),
    title: linkTitle(payload),
    payload,
    jobId: null,
    draft: true
  })
  await operations.pass(signal)
  return operations.get(id)
}

test('a part of a name is never taken for a vehicle or a trailer, even where it fits only one', async () => {
  const [vehicle, other] = vehicles
  const [trailer] = trailers
  if (!vehicle || !other || !trailer) throw new Error('too few records')
  vehicle.name = 'Unit 12'
  trailer.name = 'Trailer 44'
  for (const one of vehicles.slice(1)) one.name = `Lorry ${one.id}`
  for (const one of trailers.slice(1)) one.name = `Cart ${one.id}`
  expect(await linkByText('Unit 1', 'Trailer 4')).toMatchObject({ state: 'needsAttention' })
  expect(await linkByText('Unit 12', 'Trailer 4')).toMatchObject({ state: 'needsAttention' })
  expect(gateway.state.links).toEqual([])
  expect(await linkByText('  unit  12 ', 'TRAILER 44')).toMatchObject({ state: 'done' })
  expect(gateway.state.links).toMatchObject([{ primary: vehicle.id, secondary: trailer.id }])
})

test('a key fob for a part of a name registers nothing', async () => {
  const drivers = gateway.state.assets.filter(({ type, groups }) => type === 'driver' && visible(groups))
  for (const one of drivers) one.name = `Person ${one.id}`
  const [driver] = drivers
  if (!driver) throw new Error('no driver')
  driver.name = 'Anna Maria'
  const operations = startEngine()
  const payload = { id: 'A1B2C3D4E5F60718', assetId: null, assetName: 'Anna' }
  const { id } = operations.add({
    kind: ibuttonsCreateKind,
    key: ibuttonKey(payload.id),
    title: ibuttonTitle(payload),
    payload,
    jobId: null,
    draft: true
  })
  await operations.pass(signal)
  expect(operations.get(id)).toMatchObject({ state: 'needsAttention' })
  expect(gateway.state.ibuttons.map((key) => key.id)).not.toContain(payload.id)
})

test('name, plate, VIN and id are exact; what is called the same twice, or may be on a page that is not shown, is a question', async () => {
  const [vehicle, twin] = vehicles.slice(3)
  if (!vehicle || !twin) throw new Error('too few vehicles')
  vehicle.info = { license_plate: 'BKD 123', vin: 'WDB9634031L123456' }
  const find = (text: string) => installation.findExact('vehicle', text, signal)
  for (const text of ['bkd-123', 'BKD123', 'wdb9634031l123456', String(vehicle.id), vehicle.name]) {
    expect(await find(text), text).toMatchObject({ kind: 'one', entity: { id: vehicle.id } })
  }
  expect(await find('BKD 12')).toMatchObject({ kind: 'none', similar: [{ id: vehicle.id }] })
  twin.info = { license_plate: 'BKD 123' }
  expect(await find('BKD 123')).toMatchObject({ kind: 'several', similar: [{ id: vehicle.id }, { id: twin.id }] })
})

test('a person answers which records are meant by choosing among the similar ones, and the choice is kept as evidence', async () => {
  const [vehicle, stranger] = vehicles.slice(10)
  const [trailer] = trailers
  if (!vehicle || !stranger || !trailer) throw new Error('too few records')
  vehicle.name = 'Yellow 12'
  trailer.name = 'Box 44'
  const operations = startEngine()
  const payload = { primary: { id: null, text: 'Yellow 1' }, secondary: { id: null, text: 'Box 4' } }
  const { id } = operations.add({
    kind: linkKind,
    key: linkKey(payload.primary),
    title: linkTitle(payload),
    payload,
    jobId: null,
    draft: true
  })
  const choices = () =>
    operations
      .page({ scope: 'open', before: null, limit: 10 })
      .operations.flatMap((line) => line.choices.map(({ id: record }) => record))
  expect(choices()).toEqual([])
  await operations.pass(signal)
  expect(choices()).toEqual([vehicle.id])
  expect(() => operations.choose(id, stranger.id)).toThrow(/operations.noSuchChoice/)
  operations.choose(id, vehicle.id)
  expect(operations.get(id)).toMatchObject({ state: 'draft', reason: { id: 'operations.personChose' } })
  await operations.pass(signal)
  expect(choices()).toEqual([trailer.id])
  operations.choose(id, trailer.id)
  await operations.pass(signal)
  expect(operations.get(id)).toMatchObject({
    state: 'done',
    key: `vehicle:${vehicle.id}`,
    payload: { primary: { id: vehicle.id }, secondary: { id: trailer.id } }
  })
  expect(gateway.state.links.at(-1)).toMatchObject({ primary: vehicle.id, secondary: trailer.id })
  expect(operations.show(id).evidence.map(({ what }) => what.id)).toEqual(
    expect.arrayContaining(['operations.personChose'])
  )
  expect(() => operations.choose(id, trailer.id)).toThrow(/operations.noSuchChoice/)
})

test('work that was answered keeps its place before younger work of its vehicle', async () => {
  const [vehicle] = vehicles.slice(14)
  const [first, second] = trailers
  if (!vehicle || !first || !second) throw new Error('too few records')
  first.name = 'Crate 44'
  const operations = startEngine()
  const link = (secondary: { id: number | null; text: string }) => {
    const payload = { primary: { id: vehicle.id, text: vehicle.name }, secondary }
    return operations.add({
      kind: linkKind,
      key: linkKey(payload.primary),
      title: linkTitle(payload),
      payload,
      jobId: null,
      draft: secondary.id === null
    })
  }
  const asked = link({ id: null, text: 'Crate 4' })
  const younger = link({ id: second.id, text: second.name })
  const before = gateway.state.links.length
  await operations.pass(signal)
  expect(operations.get(younger.id)).toMatchObject({ state: 'pending', reason: { id: 'operations.waitsForDecision' } })
  operations.choose(asked.id, first.id)
  await operations.pass(signal)
  expect(gateway.state.links.slice(before).map(({ secondary }) => secondary)).toEqual([first.id, second.id])
})

test('a key fob for a driver whose typed name is not exact is registered for the one that was chosen', async () => {
  const [driver] = gateway.state.assets.filter(({ type, groups }) => type === 'driver' && visible(groups))
  if (!driver) throw new Error('no driver')
  driver.name = 'Berta Maria'
  const operations = startEngine()
  const payload = { id: 'B1B2C3D4E5F60718', assetId: null, assetName: 'Berta' }
  const { id } = operations.add({
    kind: ibuttonsCreateKind,
    key: ibuttonKey(payload.id),
    title: ibuttonTitle(payload),
    payload,
    jobId: null,
    draft: true
  })
  await operations.pass(signal)
  operations.choose(id, driver.id)
  await operations.pass(signal)
  expect(operations.get(id)).toMatchObject({ state: 'done', payload: { assetId: driver.id, assetName: 'Berta Maria' } })
})
