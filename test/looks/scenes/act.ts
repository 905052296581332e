import type { Theatre, TheatreOptions } from '../theatre.ts'

/** A screen in a state, in the order in which a person could come to it. */
export interface Scene {
  name: string
  open(theatre: Theatre): Promise<void>
  /** The core's process stands still, or shows a support bundle: it can't change the language. */
  isHeld?: boolean
  /** Undoes what the next scene must not find. */
  leave?(theatre: Theatre): Promise<void>
}

/** Scenes that share one yard and one data folder. */
export interface Act extends TheatreOptions {
  name: string
  scenes: readonly Scene[]
}

export const limitMs = 60_000

export function place(hash: string): Scene['open'] {
  return async ({ page }) => {
    await page.evaluate((hash) => (window.location.hash = hash), hash)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
}

export function vehicleOf({ gateway, device }: Theatre): number {
  return gateway.state.vehicles.find((one) => String(one.device) === device.imei)?.id ?? 0
}

/** A screen of the vehicle that the first device is in. */
export function placeOfVehicle(screen: 'vehicle' | 'accessories' | 'events', part = ''): Scene['open'] {
  return async (theatre) => {
    const vehicle = theatre.gateway.state.vehicles.find((one) => String(one.device) === theatre.device.imei)
    await place(`#/${screen}/${vehicle?.id ?? ''}${part && `/${part}`}`)(theatre)
  }
}

export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + limitMs
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`Waited ${limitMs / 1000} s for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Signed in to the gateway and to the first device. */
export async function prepareYard({ call, yard, gateway, device }: Theatre): Promise<void> {
  await call('settings.change', { profile: 'short-holds', technician: 'Technician One' })
  const { url, user, password } = gateway
  await call('gateway.signIn', { url, user, password })
  await call('discovery.watch', {})
  for (const { imei } of yard.devices) await until(`device ${imei} in the table`, async () => (await call('discovery.findImei', { imei })).kind === 'found')
  const { devices } = await call('discovery.watch', {})
  const seen = devices.find(({ imei }) => imei === device.imei)
  if (!seen) throw new Error('The device is not in the table.')
  await call('device.signIn', { key: seen.key, user: device.user, password: device.password, shared: false })
}

/** The job of the first device: made, on the screen, begun. */
export async function openJob(theatre: Theatre): Promise<string> {
  const { call, device, gateway } = theatre
  const vehicle = gateway.state.vehicles.find((one) => String(one.device) === device.imei)
  const made = await call('jobs.create', {
    templateId: 'standard-installation',
    deviceKey: device.imei,
    vehicleText: String(vehicle?.info.license_plate ?? ''),
    customer: 'Customer One',
    scannedImei: device.imei
  })
  const id = made.outcome === 'created' ? made.id : made.job.id
  await place(`#/job/${id}`)(theatre)
  if (made.outcome === 'created') await call('jobs.start', { id })
  return id
}

export async function stateOf({ call }: Theatre, id: string, stepId: string): Promise<string> {
  return (await call('jobs.show', { id })).steps.find((step) => step.id === stepId)?.state ?? ''
}

/** Runs a step unless it has begun by itself, until it asks the person. */
export async function runUntilAsked(theatre: Theatre, id: string, stepId: string): Promise<void> {
  if ((await stateOf(theatre, id, stepId)) !== 'running') await theatre.call('jobs.runStep', { id, stepId })
  await until(`${stepId} asks`, async () => (await theatre.call('jobs.live', { id })).steps.some((step) => step.stepId === stepId && step.prompt !== null))
}

export async function newestJob({ call }: Theatre): Promise<string> {
  return (await call('jobs.list', { search: '', limit: 1 })).jobs[0]?.id ?? ''
}

/** The step on the stage in large type, until it is left. */
export function inLargeType(name: string): Scene {
  return {
    name,
    async open({ page }) {
      await page.keyboard.press('z')
      await page.getByRole('dialog').waitFor()
    },
    leave: ({ page }) => page.keyboard.press('Escape')
  }
}

/** Puts a step on the stage. */
export async function showStep({ page }: Theatre, title: RegExp): Promise<void> {
  await page.locator('main').getByRole('button', { name: title }).first().click()
}

/** Devices that have been silent, without power or position, or weak, each for another time. */
export function letFleetFall({ state }: Theatre['gateway']): void {
  const hourMs = 3_600_000
  state.devices.filter(({ lastReportMs }) => lastReportMs === null).forEach((device, index) => {
    const isSilent = index % 3 === 0
    device.lastReportMs = Date.now() - (isSilent ? (30 + 37 * index) * hourMs : (0.02 + (index % 5) * 1.7) * hourMs)
    device.io = { ...device.io, io_pwr: index % 4 !== 0, io_ign: false }
    device.ioEpoch = Math.floor(device.lastReportMs / 1000)
    const time = new Date(device.lastReportMs).toISOString()
    device.latest = { event_time: time, system_time: time, cf_rssi: index % 5 === 1 ? 2 : 9 + (index % 9), loc: { lat: 40.4, lon: -3.7, valid_position: index % 6 !== 2 } }
  })
}
