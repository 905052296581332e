import type { Json } from '../../../preload/contract/define.ts'
import type { Reading } from '../../../preload/contract/device/deviceAreas.ts'
import { rest } from '../../base/time/pause.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { ChangeResult, DeviceChange } from '../../../preload/contract/device/workspace.ts'
import type { DeviceClient } from '../../device/client/client.ts'
import { assertHotspot, assertNetwork, assertRemovable } from '../../device/client/radio/wifiText.ts'
import type { CallOptions } from '../../device/client/wire.ts'

export interface Applied {
  result: Omit<ChangeResult, 'at'>
  /** The failure of the request, if its effect had to be confirmed by reading back. */
  failure: AppError | undefined
}

interface Plan {
  send(device: DeviceClient, options: CallOptions): Promise<Reading<unknown>>
  /** Reads the setting back; absent if the document describes no way to do so. */
  readBack?: ReadBack
}

interface ReadBack {
  read(device: DeviceClient, options: CallOptions): Promise<Reading<unknown>>
  isThere(value: unknown): boolean
  wanted: Message
  withinMs: number
}

const readEveryMs = 500

/**
 * Sends a change and reads it back until it shows or time runs out; what cannot be read back ends as `sent`. Throws
 * refusals.
 */
export async function applyChange(device: DeviceClient, change: DeviceChange, options: CallOptions): Promise<Applied> {
  const plan = planOf(change)
  let answer: Json = null
  let failure: AppError | undefined
  try {
    answer = ((await plan.send(device, options)).raw ?? null) as Json
  } catch (error) {
    if (!(error instanceof AppError) || error.fate !== 'unknown') throw error
    failure = error
  }
  if (!plan.readBack) {
    if (failure) return { failure, result: { kind: 'unknown', detail: failure.sentence, answer, readBack: null } }
    return { failure, result: { kind: 'sent', detail: message('workspace.taken'), answer, readBack: null } }
  }
  return { failure, result: { answer, ...(await proveChange(device, plan.readBack, failure, options)) } }
}

/** Throws INVALID_REQUEST for a name or password that no device can use: before anybody is asked anything. */
export function assertSendable(change: DeviceChange): void {
  if (change.operation === 'wifi.add') assertNetwork(change)
  if (change.operation === 'wifi.remove') assertRemovable(change)
  if (change.operation === 'hotspot.edit') assertHotspot(change)
}

async function proveChange(
  device: DeviceClient,
  { read, isThere, wanted, withinMs }: ReadBack,
  failure: AppError | undefined,
  options: CallOptions
): Promise<Pick<ChangeResult, 'kind' | 'detail' | 'readBack'>> {
  const untilMs = performance.now() + withinMs
  let last: Reading<unknown> | undefined
  let unread: AppError | undefined
  for (;;) {
    try {
      last = await read(device, options)
      unread = undefined
      if (isThere(last.value))
        return {
          kind: 'readBack',
          detail: message('workspace.readBack', { wanted }),
          readBack: (last.raw ?? null) as Json
        }
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
      unread = error
    }
    if (performance.now() >= untilMs) break
    await rest(readEveryMs, options.signal ?? new AbortController().signal)
    if (options.signal?.aborted) throw new AppError('CANCELLED', message('workspace.notWanted'))
  }
  if (unread) {
    return {
      kind: 'unknown',
      detail: message('workspace.notReadBack', { why: (failure ?? unread).sentence }),
      readBack: null
    }
  }
  const detail = failure
    ? message('workspace.notThereAfter', { wanted, why: failure.sentence })
    : message('workspace.notThere', { wanted })
  return { kind: 'different', detail, readBack: (last?.raw ?? null) as Json }
}

function planOf(change: DeviceChange): Plan {
  switch (change.operation) {
    case 'modem.editApn':
      return {
        send: ({ modem }, options) =>
          modem.editApn({ apn: change.apn, user: change.user, pass: change.pass, pin: change.pin }, options),
        readBack: back(
          ({ modem }, options) => modem.configuration(options),
          (value) => (value as { APN?: string }).APN === change.apn,
          message('workspace.wantedApn', { apn: change.apn })
        )
      }
    case 'wifi.add':
      return {
        send: ({ wifi }, options) =>
          wifi.add({ ssid: change.ssid, ...(change.password === '' ? {} : { password: change.password }) }, options),
        readBack: back(
          ({ wifi }, options) => wifi.list(options),
          (value) => ssidsOf(value)?.includes(change.ssid) === true,
          message('workspace.wantedNetwork', { ssid: change.ssid })
        )
      }
    case 'wifi.remove':
      return {
        send: ({ wifi }, options) => wifi.remove({ ssid: change.ssid }, options),
        readBack: back(
          ({ wifi }, options) => wifi.list(options),
          (value) => ssidsOf(value)?.includes(change.ssid) === false,
          message('workspace.wantedNoNetwork', { ssid: change.ssid })
        )
      }
    case 'wifi.start':
    case 'wifi.reset':
      return {
        send: ({ wifi }, options) => (change.operation === 'wifi.start' ? wifi.start(options) : wifi.reset(options)),
        readBack: back(
          ({ wifi }, options) => wifi.state(options),
          (value) => isOn(value) === true,
          message('workspace.wantedWifiOn'),
          12_000
        )
      }
    case 'wifi.stop':
      return {
        send: ({ wifi }, options) => wifi.stop(options),
        readBack: back(
          ({ wifi }, options) => wifi.state(options),
          (value) => isOn(value) === false,
          message('workspace.wantedWifiOff')
        )
      }
    case 'hotspot.edit':
      return {
        send: ({ hotspot }, options) => hotspot.edit({ name: change.name, password: change.password }, options),
        readBack: back(
          ({ hotspot }, options) => hotspot.state(options),
          (value) => (value as { ssid?: string }).ssid === change.name,
          message('workspace.wantedHotspot', { name: change.name })
        )
      }
    case 'hotspot.start':
    case 'hotspot.stop': {
      const on = change.operation === 'hotspot.start'
      return {
        send: ({ hotspot }, options) => (on ? hotspot.start(options) : hotspot.stop(options)),
        readBack: back(
          ({ hotspot }, options) => hotspot.state(options),
          (value) => isOn(value) === on,
          message(on ? 'workspace.wantedHotspotOn' : 'workspace.wantedHotspotOff')
        )
      }
    }
    case 'accel.autoAlignment':
      return { send: ({ accel }, options) => accel.autoAlignment({ state: change.state }, options) }
    case 'ecu.configure': {
      const { operation: _operation, ...configuration } = change
      return { send: ({ ecu }, options) => ecu.configure(configuration, options) }
    }
  }
}

function back(read: ReadBack['read'], isThere: ReadBack['isThere'], wanted: Message, withinMs = 6_000): ReadBack {
  return { read, isThere, wanted, withinMs }
}

function ssidsOf(value: unknown): string[] | undefined {
  return (value as { ssids?: string[] }).ssids
}

/** Whether a Wi-Fi or hotspot state means "on"; undefined for a state that the document does not define. */
export function isOn(value: unknown): boolean | undefined {
  const { state } = value as { state?: string }
  if (state === 'Disabled' || state === 'Interface_disabled') return false
  return state === undefined || state === '' ? undefined : true
}
