import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Job } from '../../../preload/contract/job/jobs.ts'
import { startSimulation, type Simulation, type SimulationOptions } from '../../../simulator/simulation.ts'
import { fitter, startFitter, type Finished, type FitterOptions, type Running } from './fitterProcess.ts'

/** A folder for the tests of one file; gone when they are over. For tests that run side by side. */
export function fileFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * A simulated yard with one device and its gateway, and Fitter as a child process that knows the passwords by
 * environment.
 */
export async function makeYard(options: SimulationOptions = {}) {
  const simulation: Simulation = await startSimulation({
    devices: 1,
    gateway: true,
    story: 'installation-fast',
    seed: 5,
    ...options
  })
  const [device] = simulation.devices
  const { gateway } = simulation
  if (!device || !gateway) throw new Error('The simulator started without a device or a gateway')
  const address = `${device.host}:${device.port}`
  const credentials = {
    FITTER_DEVICE_USER: device.user,
    FITTER_DEVICE_PASSWORD: device.password,
    FITTER_GATEWAY_USER: gateway.user,
    FITTER_GATEWAY_PASSWORD: gateway.password
  }
  afterAll(() => simulation.stop())

  function withYard(folder: string, parameters: string[], options: FitterOptions): [string[], FitterOptions] {
    return [
      [...parameters, '--gateway', gateway?.url ?? '', '--data', join(folder, 'data')],
      { ...options, env: { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...credentials, ...options.env } }
    ]
  }

  return {
    simulation,
    device,
    gateway,
    address,
    credentials,
    run: (folder: string, parameters: string[], options: FitterOptions = {}): Promise<Finished> =>
      fitter(...withYard(folder, parameters, options)),
    start: (folder: string, parameters: string[], options: FitterOptions = {}): Running =>
      startFitter(...withYard(folder, parameters, options)),
    /** The vehicle that the gateway has this device in. */
    vehicleName: (): string =>
      gateway.state.vehicles.find((vehicle) => String(vehicle.device) === device.imei)?.name ?? '',
    async newJob(folder: string, more: string[] = []): Promise<string> {
      const made = await this.run(folder, [
        'job',
        'new',
        '--template',
        'standard-installation',
        '--device',
        address,
        '--profile',
        'short-holds',
        '--json',
        ...more
      ])
      if (made.code !== 0) throw new Error(`No job was made: ${made.stdout}${made.stderr}`)
      return made.json<{ id: string }>().id
    },
    async show(folder: string, id: string): Promise<Job> {
      return (await this.run(folder, ['job', 'show', id, '--json'])).json<Job>()
    },
    /** An answers file for a whole installation; `steps` replaces its steps. */
    answers(
      folder: string,
      steps: Record<string, object | undefined> = {},
      names: object = { technician: 'Ana Ruiz', customer: 'Yard North' }
    ): string {
      const file = join(folder, `answers-${Object.keys(steps).join('-') || 'all'}.json`)
      const all = {
        identity: { value: device.imei },
        'output-1': { armed: true, effect: true },
        alignment: { answer: true },
        vehicle: { choose: this.vehicleName() },
        link: { choose: 'Trailer 12' },
        ...steps
      }
      writeFileSync(file, JSON.stringify({ steps: all, ...names }))
      return file
    }
  }
}
