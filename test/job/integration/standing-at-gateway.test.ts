import { expect, it, onTestFinished } from 'vitest'
import { createAccessoryViews } from '../../../main/gateway/client/accessories/accessoryView.ts'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { createEventReader } from '../../../main/gateway/client/events/eventReader.ts'
import { judgeOutput } from '../../../main/job/outputs/gatewayConditions.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { shippedLimits } from '../../world/device/outputs.ts'

/** Each event: seconds ago, degrees to the north, km/h, and what else it says. */
type Told = [agoS: number, north: number, kmh: number, more?: { sv?: number; hdop?: number }]

it.each<[string, Told[], boolean]>([
  [
    'a parked vehicle',
    [
      [120, 0, 0],
      [60, 0.00005, 0],
      [1, 0, 0]
    ],
    true
  ],
  [
    'a vehicle that has just stopped',
    [
      [120, 0, 50],
      [60, 0.007, 50],
      [1, 0.01, 0]
    ],
    true
  ],
  [
    'a place that moves with a speed of 0',
    [
      [120, 0, 0],
      [60, 0.005, 0],
      [1, 0.01, 0]
    ],
    false
  ],
  [
    'a fix without satellites',
    [
      [120, 0, 0],
      [60, 0, 0],
      [1, 0, 0, { sv: 0 }]
    ],
    false
  ],
  [
    'a HDOP of 99',
    [
      [120, 0, 0],
      [60, 0, 0],
      [1, 0, 0, { hdop: 99 }]
    ],
    false
  ]
])('the gateway’s events of %s', async (_name, told, stands) => {
  const sim = await startSimulation({ gateway: true, seed: 5, gatewayDelayMs: 0, reportEveryMs: 3_600_000 })
  onTestFinished(() => sim.stop())
  const {
    gateway,
    devices: [device]
  } = sim
  const first = gateway?.state.devices.find(({ imei }) => String(imei) === device?.imei)?.report
  if (!gateway || !first) throw new Error('no report')
  const vehicleId = gateway.state.vehicles.find((one) => String(one.device) === device?.imei)?.id ?? 0
  gateway.state.events.length = 0
  const nowMs = Date.now()
  for (const [n, [agoS, north, speedKmh, more]] of told.entries()) {
    gateway.receive({
      ...first,
      type: 10,
      label: 'prdtst',
      sequence: 100 + n,
      deviceTimeMs: nowMs - agoS * 1000,
      lat: first.lat + north,
      speedKmh,
      ...more
    })
  }
  const client = createGatewayClient({
    url: gateway.url,
    credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password })
  })
  onTestFinished(() => client.close())
  const views = createAccessoryViews(
    () => Promise.resolve(client),
    createEventReader(() => Promise.resolve(client))
  )
  const view = await views.read(vehicleId, new AbortController().signal)
  expect(
    judgeOutput(view, { isBusy: false, nowMs: Date.now(), limits: shippedLimits }).find(({ id }) => id === 'standing')
      ?.holds
  ).toBe(stands)
})
