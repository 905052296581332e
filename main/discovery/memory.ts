import type { KnownDevice, SeenDevice, TableChange } from '../../preload/contract/device/discovery.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import { hostWithPort } from '../addresses/address.ts'
import type { KnownDevices } from '../store/knownDevices.ts'
import type { Discovery } from './discovery.ts'

export interface DeviceMemoryOptions {
  rows: KnownDevices
  discovery(): Pick<Discovery, 'onChange' | 'table' | 'remembered'>
  /** `problem()` is different now. */
  problemChanged(): void
  reportFault(error: unknown): void
}

/** What is known of devices from before. */
export interface DeviceMemory {
  find(imei: string): KnownDevice | undefined
  /** A device of the table; only one that was verified is remembered. */
  seen(device: SeenDevice): void
  remember(device: Parameters<KnownDevices['remember']>[0]): void
  /** Those that are not in the table, last seen first. */
  absent(page: { after?: string | undefined; limit: number }): { devices: KnownDevice[]; next: string | null; total: number }
  /** Throws AppError NOT_FOUND for a device that is not remembered. */
  label(imei: string, label: string): KnownDevice
  forget(imei: string): void
  /** Why the last that was learned could not be kept; null when it was. */
  problem(): Message | null
  /** Notes when the devices of the table were last there; the returned function ends it. */
  follow(): () => void
}

/** Nobody waits for what the search learns: a full disk or a damaged row is told, and the search goes on without it. */
export function createDeviceMemory({ rows, discovery, problemChanged, reportFault }: DeviceMemoryOptions): DeviceMemory {
  let problem: Message | null = null
  /** Verified devices and when they were last heard: written down once they are gone, not at every sight. */
  const present = new Map<string, string>()

  function tellProblem(next: Message | null): void {
    problem = next
    problemChanged()
  }

  function find(imei: string): KnownDevice | undefined {
    try {
      return rows.find(imei)
    } catch (error) {
      fail(error)
      return undefined
    }
  }

  /** Told once: every device that is heard would say the same again. */
  function fail(error: unknown): void {
    if (problem) return
    reportFault(error)
    tellProblem(message('discovery.notKept', { why: error instanceof AppError ? error.sentence : message('app.fault') }))
  }

  function remember(device: Parameters<KnownDevices['remember']>[0]): void {
    try {
      rows.remember(device)
      if (problem) tellProblem(null)
    } catch (error) {
      fail(error)
    }
    discovery().remembered(device.imei)
  }

  function noteSights({ devices }: Pick<TableChange, 'devices'>): void {
    for (const { imei, verified, standing, lastSeenAt } of devices) {
      if (imei === null) continue
      if (verified) present.set(imei, lastSeenAt)
      else if (standing === 'lost' && present.delete(imei)) noteLastSight(imei, lastSeenAt)
    }
  }

  function noteLastSight(imei: string, lastSeenAt: string): void {
    const known = find(imei)
    if (known && known.lastSeenAt < lastSeenAt) remember({ imei, model: known.model, lastSeenAt })
  }

  function demand(imei: string): KnownDevice {
    const known = rows.find(imei)
    if (!known) throw new AppError('NOT_FOUND', message('discovery.notKnown', { imei }))
    return known
  }

  return {
    find,
    seen(device) {
      if (device.imei === null || device.model === null || !device.verified) return
      const [best] = device.addresses
      remember({ imei: device.imei, model: device.model, lastSeenAt: device.lastSeenAt, lastAddress: best === undefined ? null : hostWithPort(best, device.port) })
    },
    remember,
    absent: ({ after, limit }) => rows.page({ after, limit, without: discovery().table().devices.flatMap(({ imei }) => imei ?? []) }),
    label(imei, label) {
      const { model, lastSeenAt } = demand(imei)
      rows.remember({ imei, model, lastSeenAt, label })
      discovery().remembered(imei)
      return demand(imei)
    },
    forget(imei) {
      present.delete(imei)
      rows.forget(imei)
      discovery().remembered(imei)
    },
    problem: () => problem,
    follow() {
      const stop = discovery().onChange(noteSights)
      return () => {
        stop()
        for (const { imei, verified, lastSeenAt } of discovery().table().devices) if (imei !== null && verified && present.has(imei)) noteLastSight(imei, lastSeenAt)
      }
    }
  }
}
