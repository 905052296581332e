import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventLogState } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { openAccessoryBench, until, type AccessoryBench } from '../../world/device/accessoryBench.ts'
import { english } from '../../world/window/english.ts'

/** Nothing looks for devices here and none answers: all there is, is the gateway. */
let bench: AccessoryBench
beforeEach(async () => {
  bench = await openAccessoryBench({ photoMs: 100 })
})
afterEach(async () => {
  await bench.stop()
  expect(bench.faults).toEqual([])
})

async function eventsOf(vehicleId: number): Promise<EventLogState> {
  const nowMs = Date.now()
  const { id } = await bench.call('eventLog.open', {
    vehicleId,
    fromMs: nowMs - 3_600_000,
    toMs: nowMs + 60_000,
    fields: ['speed']
  })
  return until(async () => {
    const state = await bench.call('eventLog.state', { id })
    return state.loading !== 'running' && state
  })
}

test('with no device in reach, all that the gateway allows works: state, events, engine bus, outputs with their interlock, camera, trips, counters, and the chain', async () => {
  const { call, vehicleId } = bench
  bench.report({ io: { ign: true }, engineOn: true, speedKmh: 30 })
  bench.report()
  const view = await until(async () => {
    const read = await call('accessories.read', { vehicleId })
    return read.event !== null && read.lines.find(({ kind }) => kind === 'ignition')?.on === false && read
  })
  expect(view.lines.find(({ kind }) => kind === 'power')).toMatchObject({ on: true })
  expect(view.linesAt).not.toBeNull()
  expect(view.engineBus).toMatchObject({ isDetected: true, isEngineOn: false })
  expect(view.ecuValues.map(({ flag }) => flag)).toContain('F')

  expect((await call('vehicles.show', { id: vehicleId })).device).toMatchObject({
    lines: { power: true, ignition: false }
  })
  expect((await call('vehicles.events', { id: vehicleId })).events.length).toBeGreaterThan(0)
  expect((await eventsOf(vehicleId)).n).toBeGreaterThan(0)
  expect((await call('vehicles.counters', { id: vehicleId })).global.map(({ counter }) => counter)).toContain(
    'dev_dist'
  )
  expect(Array.isArray((await call('rawdata.journeys', { vehicleId, days: 1 })).trips)).toBe(true)
  expect(await bench.ended(await call('photos.capture', { vehicleId }))).toMatchObject({
    state: 'found',
    witness: 'gateway'
  })

  // Driving keeps an output from going on, and nothing keeps it from going off.
  bench.report({ speedKmh: 12, io: { ign: true } })
  await until(async () =>
    (await call('remoteOutputs.story', { vehicleId })).conditions.some(({ id, holds }) => id === 'standing' && !holds)
  )
  await expect(
    call('remoteOutputs.set', { vehicleId, otype: 'e', out: 1, on: true, confirmed: true })
  ).rejects.toMatchObject({ code: 'INTERLOCK' })
  const off = await call('remoteOutputs.set', { vehicleId, otype: 'e', out: 1, on: false, confirmed: true })
  bench.report()
  expect((await bench.ended(off)).state).toBe('found')

  const { chain, device, gateway } = await until(async () => {
    const look = await call('diagnosis.look', { subject: { vehicleId } })
    return (
      look.gateway?.state === 'answers' &&
      look.chain.every(({ state }) => state === 'ok' || state === 'unknown') &&
      look
    )
  })
  expect([device, gateway?.state]).toEqual([null, 'answers'])
  expect(chain.find(({ link }) => link === 'gatewayEvent')).toMatchObject({ state: 'ok', witness: 'gateway' })
})

test('a user without scopes is told which one is missing, and never that the sign-in is wrong', async () => {
  const { call, gateway, vehicleId } = bench
  bench.report()
  const user = gateway.state.users.find(({ username }) => username === gateway.user)
  if (!user) throw new Error('The simulated gateway has no such user')
  Object.assign(user, { is_staff: false, scopes: { vehicles: 'r', devices: 'r' } })

  const view = await call('accessories.read', { vehicleId })
  expect(view.lines.length).toBeGreaterThan(0)
  expect([view.eventFailure?.code, view.engineBusFailure?.code]).toEqual(['NOT_PERMITTED', 'NOT_PERMITTED'])
  for (const [name, input] of [
    ['vehicles.events', { id: vehicleId }],
    ['vehicles.counters', { id: vehicleId }],
    ['photos.last', { vehicleId }]
  ] as const) {
    await expect(call(name, input), name).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
  }
  const { trips, problems } = await call('rawdata.journeys', { vehicleId, days: 1 })
  expect([trips, problems.map(english).join(' ')]).toEqual([[], expect.not.stringContaining('Sign in again')])
  const log = await eventsOf(vehicleId)
  expect([log.n, log.problem && english(log.problem)]).toEqual([0, expect.not.stringContaining('Sign in again')])
  const broken = await until(async () => {
    const { chain, brokenAt } = await call('diagnosis.look', { subject: { vehicleId } })
    return brokenAt !== null && chain.find(({ link }) => link === brokenAt)
  })
  expect(broken).toMatchObject({
    link: 'visible',
    witness: 'gateway',
    sentence: { id: 'chain.visible.scopeMissing', values: { scope: 'rawdata' } }
  })
})
