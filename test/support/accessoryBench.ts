import { createCore, sourceResourcesFolder, type Core } from '../../main/app/core.ts'
import { createHandlers, routeCall } from '../../main/app/router.ts'
import { english } from './english.ts'
import type { AccessoryTest } from '../../preload/contract/gateway/accessories.ts'
import type { CallInput, CallName, CallOutput } from '../../preload/contract/index.ts'
import { startGateway } from '../../simulator/gateway/gateway.ts'
import type { SimulatedGateway } from '../../simulator/gateway/types.ts'
import type { DeviceReport } from '../../simulator/report.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const imei = '356938035643809'
const io = {
  ign: false, pwr: true, in1: false, in2: false, in3: false, in4: false, in5: false, in6: false, in7: false,
  out1: false, out2: false, out3: false, out4: false, out1Short: false, out2Short: false, out3Short: false, out4Short: false
}

export interface AccessoryBench {
  gateway: SimulatedGateway
  core: Core
  vehicleId: number
  faults: unknown[]
  /** The device reports now; what is given differs from a parked vehicle. */
  report(change?: Partial<Omit<DeviceReport, 'io'>> & { io?: Partial<DeviceReport['io']> }): void
  /** Through the contract, as a front end does; throws what a call that failed says, with its code. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>
  ended(test: AccessoryTest): Promise<AccessoryTest>
  stop(): Promise<void>
}

/** A core with a simulated gateway without tight limits, and one device that reports on request. */
export async function openAccessoryBench(options: { photoMs?: number; impliedLists?: boolean } = {}): Promise<AccessoryBench> {
  const plenty = [{ requests: 5_000, perSeconds: 60 }]
  const gateway = await startGateway({
    devices: [{ imei, model: 'ft4', iccid: '89340711002769804831', lat: 40.4, lon: -3.7 }],
    delayMs: 20,
    photoMs: options.photoMs ?? 400,
    impliedLists: options.impliedLists ?? true,
    rateTiers: { data: plenty, other: plenty }
  })
  const dataFolder = mkdtempSync(join(tmpdir(), 'fitter-accessories-'))
  const faults: unknown[] = []
  const core = createCore({
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    gatewayUrl: gateway.url,
    given: { gateway: { user: gateway.user, password: gateway.password } },
    inMemorySecrets: true,
    reportFault: (error) => faults.push(error)
  })
  const handlers = createHandlers({
    core,
    training: null,
    frontEnd: 'browser',
    version: '0.0.0',
    workplace: 'real',
    dataFolder,
    enter: () => Promise.resolve(),
    takePlace: () => Promise.resolve(),
    openPage: () => Promise.resolve(),
    reportFault: (error) => faults.push(error)
  })
  const vehicle = gateway.state.vehicles.find(({ device }) => String(device) === imei)
  if (!vehicle) throw new Error('The simulated gateway gave the device no vehicle')
  let sequence = 0

  return {
    gateway,
    core,
    vehicleId: vehicle.id,
    faults,
    report(change = {}) {
      sequence += 1
      const base: DeviceReport = {
        imei, deviceTimeMs: Date.now(), sequence, type: 10, code: 1, label: 'prdtst', lat: 40.4, lon: -3.7, validPosition: true, speedKmh: 0,
        headDeg: 0, hdop: 0.9, vdop: 1.2, sv: 11, csq: 22, io, iccid: '89340711002769804831', supplyMv: 12_600, engineOn: false, rpm: 0,
        distanceM: 1_000, ignitionS: 10, idleS: 240, ecu: { detected: true, parameters: ['ECU_RPM'] }
      }
      gateway.receive({ ...base, ...change, io: { ...io, ...change.io } })
    },
    async call(name, input) {
      const result = await routeCall(handlers, name, input, (error) => faults.push(error))
      if (!result.ok) throw Object.assign(new Error(english(result.error.message)), { code: result.error.code })
      return result.value as never
    },
    ended: (test) => core.accessories.tests.ended(test.id),
    async stop() {
      await core.stop()
      await gateway.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    }
  }
}

/** Waits until the gateway shows what was just reported. */
export async function until<T>(ask: () => Promise<T | undefined | false> | T | undefined | false, limitMs = 15_000): Promise<T> {
  const endsAt = performance.now() + limitMs
  for (;;) {
    const value = await ask()
    if (value) return value
    if (performance.now() > endsAt) throw new Error('It did not come in time')
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
}
