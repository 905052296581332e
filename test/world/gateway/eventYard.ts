import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { projectFolder } from '../../../bin/build.ts'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import { startBrowserHost } from '../../../main/app/browserHost/index.ts'
import { startGateway, type SimulatedGateway } from '../../../simulator/gateway/gateway.ts'
import { addLongPast, type LongPast } from '../time/longPast.ts'

const imei = '356938035643809'

export interface EventYard {
  page: Page
  gateway: SimulatedGateway
  vehicleId: number
  /** The page with the events of the vehicle. */
  show(): Promise<void>
  close(): Promise<void>
}

/** Fitter in a browser, signed in to a simulated gateway that has very many events of one vehicle. */
export async function openEventYard(browser: Browser, past: Omit<LongPast, 'vehicle' | 'imei'>): Promise<EventYard> {
  process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/fitter-events'
  const plenty = [{ requests: 5_000, perSeconds: 60 }]
  const gateway = await startGateway({
    devices: [{ imei, model: 'ft4', iccid: '89340711002769804831', lat: 40.42, lon: -3.7 }],
    delayMs: 20,
    rateTiers: { data: plenty, other: plenty }
  })
  const vehicle = gateway.state.vehicles.find(({ device }) => String(device) === imei)
  if (!vehicle) throw new Error('The simulated gateway gave the device no vehicle.')
  addLongPast(gateway.state, { vehicle, imei: Number(imei), ...past })
  const dataFolder = mkdtempSync(join(tmpdir(), 'fitter-events-'))
  const host = openWorkplace({
    frontEnd: 'browser',
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    openPage: () => Promise.resolve()
  })
  const server = await startBrowserHost({ host, rendererFolder: join(projectFolder, 'out', 'renderer') })
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } })
  await page.goto(server.issueKey())
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const signedIn = await host.call('gateway.signIn', {
    url: gateway.url,
    user: gateway.user,
    password: gateway.password
  })
  if (!signedIn.ok) throw new Error(JSON.stringify(signedIn))
  return {
    page,
    gateway,
    vehicleId: vehicle.id,
    async show() {
      await page.evaluate((id) => (window.location.hash = `#/events/${String(id)}`), vehicle.id)
      await page
        .getByRole('grid', { name: 'Events, latest first' })
        .getByRole('row')
        .nth(3)
        .waitFor({ timeout: 120_000 })
    },
    async close() {
      await page.close()
      await server.stop()
      await host.stop()
      await gateway.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    }
  }
}
