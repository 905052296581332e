import { createCore, sourceResourcesFolder, type Core } from '../../../main/app/core.ts'
import { createHandlers, routeCall } from '../../../main/app/router.ts'
import { english } from '../window/english.ts'
import type { AccessoryTest } from '../../../preload/contract/gateway/accessories.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import { startGateway, type SimulatedGateway } from '../../../simulator/gateway/gateway.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { iccid, imei, reportParked, type ReportChange } from '../data/parkedReport.ts'

export interface AccessoryBench {
  gateway: SimulatedGateway
  core: Core
  vehicleId: number
  faults: unknown[]
  /** The device reports now; what is given differs from a parked vehicle. */
  report(change?: ReportChange): void
  /** The vehicle has cameras at these sources from now on; each photo ends with this status instead of a picture. */
  fitCameras(sources: readonly number[], failsWith?: number): void
  /** Through the contract, as a front end does; throws what a call that failed says, with its code. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>
  ended(test: AccessoryTest): Promise<AccessoryTest>
  stop(): Promise<void>
}

/** A core with a simulated gateway without tight limits, and one device that reports on request. */
export async function openAccessoryBench(
  options: { photoMs?: number; impliedLists?: boolean } = {}
): Promise<AccessoryBench> {
  const plenty = [{ requests: 5_000, perSeconds: 60 }]
  const gateway = await startGateway({
    devices: [{ imei, model: 'ft4', iccid, lat: 40.4, lon: -3.7 }],
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
  const next = reportParked()

  return {
    gateway,
    core,
    vehicleId: vehicle.id,
    faults,
    report: (change) => gateway.receive(next(change)),
    fitCameras: (sources, failsWith) =>
      gateway.connectCameras(() =>
        sources.map((source) => ({ source, isCovered: false, failsWith: failsWith ?? null }))
      ),
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
export async function until<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = 15_000
): Promise<T> {
  const endsAt = performance.now() + limitMs
  for (;;) {
    const value = await ask()
    if (value) return value
    if (performance.now() > endsAt) throw new Error('It did not come in time')
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
}
