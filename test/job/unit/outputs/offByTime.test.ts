import { expect, test, vi } from 'vitest'
import { failureOf, isAway, isLost, openGateway, otherImei } from '../../../world/gateway/gatewayOutputBench.ts'

test('an output that the gateway shows on is switched off after the limit of the profile, and its entry says when', async () => {
  const bench = openGateway()
  await bench.set(true)
  expect(bench.outputs.ledger()[0]?.offAt).toBeUndefined()
  await bench.passes(0)
  const shownMs = Date.now()
  expect(bench.outputs.ledger()[0]?.offAt).toBe(new Date(shownMs + 60_000).toISOString())
  await bench.passes(59_000)
  expect(bench.gateway.sent).toEqual(['e 2 on'])
  await bench.passes(2_000)
  expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  expect(
    bench
      .seen()
      .filter((what) => Array.isArray(what) && what[0] === 'sent')
      .at(-1)
  ).toEqual(['sent', 7, { otype: 'e', out: 2, state: false }])
  await bench.passes(4_000)
  expect(bench.outputs.ledger()).toEqual([])
  await bench.passes(600_000)
  expect(bench.gateway.sent).toHaveLength(2)
})

test('the limit is that of the profile, to the moment', async () => {
  const bench = openGateway({ chosen: () => ({ gatewayMostOnS: 7 }) })
  await bench.set(true)
  await bench.passes(0)
  await bench.passes(6_990)
  expect(bench.gateway.sent).toEqual(['e 2 on'])
  await bench.passes(20)
  expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
})

test('the first of both clocks that reaches the time switches off, at that moment', async () => {
  const aheadMs = { monotonic: 0 }
  const open = async () => {
    const bench = openGateway({ monotonicMs: () => performance.now() + aheadMs.monotonic })
    await bench.set(true)
    await bench.passes(0)
    return bench
  }
  const byWall = await open()
  vi.setSystemTime(Date.now() + 5_000)
  await byWall.passes(54_999)
  expect(byWall.gateway.sent).toEqual(['e 2 on'])
  await byWall.passes(1)
  expect(byWall.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  const byMonotonic = await open()
  aheadMs.monotonic += 4_300
  vi.setSystemTime(Date.now() - 3_600_000)
  await byMonotonic.passes(55_699)
  expect(byMonotonic.gateway.sent).toEqual(['e 2 on'])
  await byMonotonic.passes(1)
  expect(byMonotonic.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
})

test('a computer that slept switches off as soon as it wakes, by the clock of the wall', async () => {
  const bench = openGateway()
  await bench.on()
  await bench.passes(5_000)
  // The monotonic clock stood still meanwhile.
  vi.setSystemTime(Date.now() + 3_600_000)
  await bench.passes(1_000)
  expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
})

test('a computer that slept switches off at once when the gateway answers again first', async () => {
  const bench = openGateway()
  await bench.on()
  vi.setSystemTime(Date.now() + 3_600_000)
  bench.outputs.gateway.seen()
  await bench.passes(0)
  expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
})

test('a wall clock that was set back does not make it stay on longer', async () => {
  const bench = openGateway()
  await bench.on()
  vi.setSystemTime(Date.now() - 3_600_000)
  await bench.passes(58_000)
  expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
})

test('a gateway that cannot be asked is asked again every 10 s until it accepts “off”, and the entry says why it is on', async () => {
  const bench = openGateway()
  await bench.on()
  const { answer } = bench.gateway
  bench.gateway.answer = isAway
  await bench.passes(82_500)
  expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off', 'e 2 off', 'e 2 off'])
  expect(bench.trouble()).toEqual(['Not now.'])
  bench.gateway.answer = answer
  await bench.passes(10_000)
  expect([bench.gateway.sent.length, bench.shown()]).toEqual([5, []])
})

test('“off” by time of which nobody knows whether it arrived is not repeated', async () => {
  const bench = openGateway()
  await bench.on()
  Object.assign(bench.gateway, { answer: isLost, takesEffect: false })
  await bench.passes(600_000)
  expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  expect(bench.shown()).toEqual(['e 2 mayBeOn'])
})

test('“off” by time is not sent to another device that the vehicle has by then', async () => {
  const bench = openGateway()
  await bench.on()
  bench.gateway.imei = otherImei
  await bench.passes(600_000)
  expect(bench.gateway.sent).toEqual(['e 2 on'])
  expect(bench.outputs.ledger()).toMatchObject([
    { state: 'mayBeOn', trouble: { id: 'gatewayOutputs.otherDevice', values: { present: otherImei } } }
  ])
})

test('a person who switches off takes the place of the limit', async () => {
  const bench = openGateway()
  await bench.on()
  bench.gateway.takesEffect = false
  await bench.set(false)
  expect(bench.outputs.ledger()[0]).not.toHaveProperty('offAt')
  await bench.passes(600_000)
  expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
})

test('the limit of one “on” says nothing about the next one', async () => {
  const bench = openGateway()
  await bench.on()
  await bench.passes(50_000)
  await bench.set(false)
  await bench.passes(4_000)
  await bench.on()
  await bench.passes(50_000)
  expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off', 'e 2 on'])
  await bench.passes(8_000)
  expect(bench.gateway.sent).toHaveLength(4)
  expect(await failureOf(bench.outputs.confirmOff(9, 'fuse pulled'))).toMatchObject({ code: 'NOT_FOUND' })
})
