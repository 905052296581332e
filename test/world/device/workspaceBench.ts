import fs from 'node:fs'
import os from 'node:os'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import type { CallInput, CallName, CallOutput, Handlers } from '../../../preload/contract/index.ts'
import { createCore, sourceResourcesFolder, type Core } from '../../../main/app/core.ts'
import { createHandlers, routeCall } from '../../../main/app/router.ts'
import { startSimulation, type SimulationOptions, type Simulation } from '../../../simulator/simulation.ts'
import { putEmptyData } from '../data/emptyData.ts'

/** A core with a data folder of its own, and simulated devices that are signed in and in its table. */
export interface WorkspaceBench {
  core: Core
  handlers: Handlers
  simulation: Simulation
  dataFolder: string
  /** Keys of the devices, in the order of the simulation. */
  keys: string[]
  faults: unknown[]
  events: { name: string; payload: unknown }[]
  /** Through the contract, as a front end does; throws the error data of a call that failed. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>
  stop(): Promise<void>
}

export async function openWorkspaceBench(
  options: SimulationOptions = {},
  own: Partial<Parameters<typeof createCore>[0]> = {}
): Promise<WorkspaceBench> {
  const simulation = await startSimulation({ gateway: false, openSystemInfo: true, ...options })
  const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-workspace-'))
  putEmptyData(dataFolder)
  const faults: unknown[] = []
  const events: WorkspaceBench['events'] = []
  const core = createCore({
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    inMemorySecrets: true,
    interfaces: () =>
      Object.fromEntries(Object.entries(networkInterfaces()).filter(([, list]) => list?.some((one) => one.internal))),
    reportFault: (error) => faults.push(error),
    ...own
  })
  core.events.onEvent((name, payload) => events.push({ name, payload }))
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
  } as Parameters<typeof createHandlers>[0])

  const keys: string[] = []
  for (const device of simulation.devices) {
    await core.connections.devices.keep(device.imei, { user: device.user, password: device.password }, false)
    const added = await core.connections.discovery.addAddress(`${device.host}:${device.port}`, {
      signal: AbortSignal.timeout(10_000)
    })
    if (added.kind !== 'added') throw new Error(`The device was not added: ${added.detail}`)
    keys.push(added.device.key)
  }

  return {
    core,
    handlers,
    simulation,
    dataFolder,
    keys,
    faults,
    events,
    async call(name, input) {
      const result = await routeCall(handlers, name, input, (error) => faults.push(error))
      if (!result.ok) throw result.error
      return result.value as never
    },
    async stop() {
      await core.stop()
      await simulation.stop()
      fs.rmSync(dataFolder, { recursive: true, force: true })
    }
  }
}
