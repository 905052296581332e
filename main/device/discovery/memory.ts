import type { KnownDevice, SeenDevice, TableChange } from '../../../preload/contract/device/discovery.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { hostWithPort } from '../../base/addresses/address.ts'
import type { KnownDevices } from '../../data/store/knownDevices.ts'
import type { Discovery } from './discovery.ts'

export interface DeviceMemoryOptions {
  rows: KnownDevices
  discovery(): Pick<Discovery, 'onChange' | 'table' | 'remembered'>
  /** `problem()` has changed. */
  problemChanged(): void
  reportFault(error: unknown): void
}

/** Known devices from before. */
export type DeviceMemory = ReturnType<typeof createDeviceMemory>

/** Nobody waits for this write: a full disk or a damaged row is reported, and the search continues without it. */
export function createDeviceMemory({ rows, discovery, problemChanged, reportFault }: DeviceMemoryOptions) {
  let problem: Message | null = null
  /** Verified devices and when they were last heard: written when they are gone, not at every sight. */
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

  /** Reported once, because every heard device would cause the same message. */
  function fail(error: unknown): void {
    if (problem) return
    reportFault(error)
    tellProblem(
      message('discovery.notKept', { why: error instanceof AppError ? error.sentence : message('app.fault') })
    )
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
    /** A device of the table; only verified devices are remembered. */
    seen(device: SeenDevice): void {
      if (device.imei === null || device.model === null || !device.verified) return
      const [best] = device.addresses
      remember({
        imei: device.imei,
        model: device.model,
        lastSeenAt: device.lastSeenAt,
        lastAddress: best === undefined ? null : hostWithPort(best, device.port)
      })
    },
    remember,
    /** Those that are not in the table, last seen first. */
    absent: ({
      after,
      limit
    }: {
      after?: string | undefined
      limit: number
    }): { devices: KnownDevice[]; next: string | null; total: number } =>
      rows.page({
        after,
        limit,
        without: discovery()
          .table()
          .devices.flatMap(({ imei }) => imei ?? [])
      }),
    /** Throws AppError NOT_FOUND for an unknown device. */
    label(imei: string, label: string): KnownDevice {
      const { model, lastSeenAt } = demand(imei)
      rows.remember({ imei, model, lastSeenAt, label })
      discovery().remembered(imei)
      return demand(imei)
    },
    forget(imei: string): void {
      present.delete(imei)
      rows.forget(imei)
      discovery().remembered(imei)
    },
    /** Why the last change could not be stored; null when it was. */
    problem: (): Message | null => problem,
    /** Records when the devices of the table were last seen; the returned function ends it. */
    follow(): () => void {
      const stop = discovery().onChange(noteSights)
      return () => {
        stop()
        for (const { imei, verified, lastSeenAt } of discovery().table().devices)
          if (imei !== null && verified && present.has(imei)) noteLastSight(imei, lastSeenAt)
      }
    }
  }
}
