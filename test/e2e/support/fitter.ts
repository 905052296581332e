import { _electron, expect, test as base, type BrowserContext, type Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findElectron } from '../../../bin/electronBinary.ts'
import { projectFolder } from '../../../bin/build.ts'
import { startBrowserHost } from '../../../main/app/browserHost/index.ts'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import type { WorkplaceOptions } from '../../../main/app/openedWorkplace.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import type { Workplace } from '../../../preload/contract/app/app.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import {
  startSimulation,
  type SimulatedDevice,
  type SimulatedGateway,
  type Simulation,
  type SimulationOptions
} from '../../../simulator/simulation.ts'
import { endFirstRun } from '../../world/data/usedFolder.ts'
import { expectOwnNetwork } from './ownNetwork.ts'
import { watchPage } from './watchPage.ts'

export { expect }

/** The UI in front of a real core: in a browser, or in Electron where its program is there. */
export interface OpenFitter {
  page: Page
  /** Another window on the same core. In a browser only. */
  openWindow(): Promise<Page>
}

/** A simulated yard with one gateway. */
export interface Yard extends Simulation {
  gateway: SimulatedGateway
  device: SimulatedDevice
  plate: string
}

export interface FrontEnd {
  frontEnd: 'browser' | 'electron'
  /** The data folder is empty, as on a new computer: the first run appears. */
  isNewComputer: boolean
}

export interface Fixtures {
  dataFolder: string
  /** What no page may ever do: log an error, break its own security policy, ask anybody but its own origin. */
  misbehaviour: string[]
  openFitter: (start?: Workplace, updates?: WorkplaceOptions['updates']) => Promise<OpenFitter>
  simulate: (options?: SimulationOptions) => Promise<Yard>
}

export const test = base.extend<FrontEnd & Fixtures>({
  frontEnd: ['browser', { option: true }],
  isNewComputer: [false, { option: true }],

  // A test must not depend on the keychain of whoever runs it, nor leave anything in there.
  dataFolder: async ({ isNewComputer, frontEnd }, use, { config }) => {
    expectOwnNetwork(config)
    process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nonexistent/fitter-test'
    const folder = mkdtempSync(join(tmpdir(), 'fitter-e2e-'))
    if (!isNewComputer) endFirstRun(frontEnd === 'electron' ? join(folder, 'data') : folder)
    await use(folder)
    // A file may still be put there while the folder is being emptied: seen once, in the walk through three thousand
    // jobs.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  },

  misbehaviour: async ({}, use) => {
    const seen: string[] = []
    await use(seen)
    expect(seen, 'errors in the console, broken security policy, requests to others').toEqual([])
  },

  openFitter: async ({ frontEnd, context, dataFolder, misbehaviour }, use) => {
    const stops: (() => Promise<void>)[] = []
    await use(async (start = 'real', updates) => {
      const opened =
        frontEnd === 'electron'
          ? await openInElectron(dataFolder, start)
          : await openInBrowser(context, { dataFolder, start, misbehaviour, updates })
      stops.push(opened.stop)
      return opened
    })
    for (const stop of stops) await stop()
  },

  simulate: async ({}, use) => {
    const running: Simulation[] = []
    await use(async (options) => {
      const yard = await startYard(options)
      running.push(yard)
      return yard
    })
    for (const simulation of running) {
      await simulation.stop()
      expect(simulation.violations(), 'requests that the API documents do not have').toEqual([])
    }
  }
})

async function startYard(options: SimulationOptions = {}): Promise<Yard> {
  const simulation = await startSimulation({
    mdns: true,
    gateway: true,
    story: 'parked',
    reportEveryMs: 1_000,
    ...options
  })
  const [device] = simulation.devices
  const { gateway } = simulation
  if (!device || !gateway) throw new Error('The simulation started without a device or a gateway.')
  const vehicle = gateway.state.vehicles.find((one) => String(one.device) === device.imei)
  return Object.assign(simulation, { gateway, device, plate: String(vehicle?.info.license_plate ?? '') })
}

async function openInBrowser(
  context: BrowserContext,
  {
    dataFolder,
    start,
    misbehaviour,
    updates
  }: { dataFolder: string; start: Workplace; misbehaviour: string[]; updates: WorkplaceOptions['updates'] }
) {
  const host = openWorkplace({
    frontEnd: 'browser',
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    start,
    updates,
    openPage: () => Promise.reject(new Error('A test opens nothing outside.'))
  })
  const server = await startBrowserHost({ host, rendererFolder: join(projectFolder, 'out', 'renderer') })

  async function openWindow(): Promise<Page> {
    const page = await context.newPage()
    await watchPage(page, `http://127.0.0.1:${server.port}`, misbehaviour)
    await page.goto(server.issueKey())
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  async function stop(): Promise<void> {
    // A page that is still there would miss its core, and say so.
    for (const page of context.pages()) await page.close()
    await server.stop()
    await host.stop()
  }
  return { page: await openWindow(), openWindow, stop }
}

async function openInElectron(dataFolder: string, start: Workplace) {
  const executablePath = findElectron(projectFolder)
  if (!executablePath) throw new Error('There is no Electron on this machine.')
  const electron = await _electron.launch({
    executablePath,
    args: [projectFolder, `--user-data-dir=${dataFolder}`, ...(start === 'training' ? ['--training'] : [])]
  })
  const page = await electron.firstWindow()
  await page.getByRole('heading', { level: 1 }).waitFor()
  return {
    page,
    openWindow: () => Promise.reject(new Error('The desktop application has one window.')),
    stop: () => electron.close()
  }
}

/** Calls the core through the page's own bridge, for what a test needs but is not about. */
export async function callCore<Name extends CallName>(
  page: Page,
  name: Name,
  input: CallInput<Name>
): Promise<CallOutput<Name>> {
  const result = await page.evaluate(
    ({ name, text }) => window.fitter?.call(name as CallName, JSON.parse(text) as CallInput<CallName>),
    { name, text: JSON.stringify(input) }
  )
  if (!result?.ok) throw new Error(`${name}: ${JSON.stringify(result)}`)
  return result.value as CallOutput<Name>
}
