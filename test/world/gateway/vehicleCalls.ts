import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { createCore, sourceResourcesFolder, type Core } from '../../../main/app/core.ts'
import { createConnectionHandlers } from '../../../main/gateway/accounts/handlers.ts'
import { createVehicleHandlers } from '../../../main/gateway/vehicles/handlers.ts'
import { startGateway, type SimulatedGateway } from '../../../simulator/gateway/gateway.ts'
import type { GatewayOptions } from '../../../simulator/gateway/types.ts'
import { iccid, imei } from '../data/parkedReport.ts'

/** A gateway without tight limits, with 40 vehicles besides that of the device; it ends with the test. */
export async function openGateway(options: Partial<GatewayOptions> = {}): Promise<SimulatedGateway> {
  const gateway = await startGateway({
    rateTiers: { data: [{ requests: 1000, perSeconds: 60 }], other: [{ requests: 1000, perSeconds: 60 }] },
    devices: [{ imei, model: 'ft4', iccid, lat: 40.4, lon: -3.7 }],
    delayMs: 0,
    vehicles: 40,
    ...options
  })
  onTestFinished(() => gateway.stop())
  return gateway
}

/** A core on an empty folder, both gone with the test. */
export function openCore(): Core {
  const dataFolder = mkdtempSync(join(tmpdir(), 'fitter-vehicles-'))
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }))
  const core = createCore({
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    inMemorySecrets: true,
    reportFault: (error) => {
      throw error
    }
  })
  onTestFinished(() => core.stop())
  return core
}

/** The calls of vehicles and of who is signed in to the gateway. */
export function callsOf(core: Core) {
  const { connections, accounts, vehicles } = core
  return {
    ...createConnectionHandlers({
      connections,
      accounts,
      findEntities: (input, abort) => vehicles.findEntities(input, abort)
    }),
    ...createVehicleHandlers(core)
  }
}

export const signal = new AbortController().signal

export async function signedIn(gateway: SimulatedGateway, role = 'installer', core = openCore()) {
  const account = gateway.accounts.find((candidate) => candidate.role === role)
  if (!account) throw new Error(`no ${role}`)
  const calls = callsOf(core)
  const result = await calls['gateway.signIn'](
    { url: gateway.url, user: account.user, password: account.password, scheme: { kind: 'normal' } },
    signal
  )
  expect(result.kind).toBe('signedIn')
  return { core, calls, account }
}

/** Waits for a whole local copy, and returns what is said of it. */
export async function copied(calls: ReturnType<typeof callsOf>) {
  await calls['vehicles.refresh']({}, signal)
  return vi.waitFor(
    async () => {
      const state = await calls['vehicles.copy']({}, signal)
      expect(state.running).toBeNull()
      expect(state.problem).toBeNull()
      return state
    },
    { timeout: 15_000 }
  )
}
