import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { type DeviceWrite, ecuConfiguration, ecuEntry } from '../../../../preload/contract/device/workspace.ts'
import { idOfSetting, profileSetting, type ProfileSetting } from '../../../../preload/contract/device/deviceProfiles.ts'
import type { Reading, Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import type { CallOptions } from '../../../device/client/wire.ts'
import { isOn } from '../change.ts'
import type { OpenedDevice } from '../ports.ts'

/** A value that the device shows, or why it shows none. */
export type Shown<T> = { value: T; why: null } | { value: null; why: Message }

/** What a device shows of the settings that a profile can contain. */
export interface ShownSettings {
  osVersion: string | null
  apn: Shown<string>
  hotspotOn: Shown<boolean>
  wifiOn: Shown<boolean>
}

/** Reads those settings. Throws what keeps the device from answering; a setting that cannot be read says why. */
export async function readShown(
  { device }: Pick<OpenedDevice, 'device'>,
  options: CallOptions
): Promise<ShownSettings> {
  const { value: system } = await device.system.info(options)
  const [apn, hotspotOn, wifiOn] = await Promise.all([
    shown(device.modem.configuration(options), ({ APN }) => APN),
    shown(device.hotspot.state(options), isOn),
    shown(device.wifi.state(options), isOn)
  ])
  return { osVersion: asLine(system.osVersion, 60), apn, hotspotOn, wifiOn }
}

async function shown<V, T>(reading: Promise<Reading<V>>, pick: (value: Sparse<V>) => T | undefined): Promise<Shown<T>> {
  try {
    const { value, problems } = await reading
    const picked = pick(value)
    return picked === undefined
      ? { value: null, why: problems[0] ?? message('deviceProfiles.notShown') }
      : { value: picked, why: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    return { value: null, why: error.sentence }
  }
}

/** A text of a device as one short line; null when nothing is left of it. */
export function asLine(text: string | null | undefined, most: number): string | null {
  const line = (text ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .trim()
  return line === '' ? null : line
}

/** The readable settings as they would be in a profile, and those that cannot be in one, with the reason. */
export function toSettings({ apn, hotspotOn, wifiOn }: ShownSettings): {
  settings: ProfileSetting[]
  unread: { kind: 'apn' | 'hotspotOn' | 'wifiOn'; why: Message }[]
} {
  const settings: ProfileSetting[] = []
  const unread: { kind: 'apn' | 'hotspotOn' | 'wifiOn'; why: Message }[] = []
  for (const [kind, { value, why }] of Object.entries({ apn, hotspotOn, wifiOn }) as [
    'apn' | 'hotspotOn' | 'wifiOn',
    Shown<string | boolean>
  ][]) {
    // A device may show anything: only what a profile may contain gets into one.
    const { success, data } = profileSetting.safeParse({ kind, value })
    if (success) settings.push(data)
    else unread.push({ kind, why: why ?? message('deviceProfiles.unusable') })
  }
  return { settings, unread }
}

/** The engine-bus settings that Fitter sent to a device and that it accepted, from its log (newest first). */
export function sentBusSettings(writes: readonly DeviceWrite[]): ProfileSetting[] {
  const found = new Map<string, ProfileSetting>()
  for (const write of writes) {
    const setting = write.outcome === 'done' ? busSettingOf(write) : undefined
    if (setting && !found.has(idOfSetting(setting))) found.set(idOfSetting(setting), setting)
  }
  return [...found.values()].reverse()
}

/** The engine-bus setting of a log entry; undefined for anything else. */
export function busSettingOf({
  operation,
  input,
  at
}: Pick<DeviceWrite, 'operation' | 'input' | 'at'>): ProfileSetting | undefined {
  if (operation === 'ecu.addParameter') {
    const { success, data } = ecuEntry.safeParse(input)
    return success ? profileSetting.safeParse({ kind: 'busParameter', value: data, sentAt: at }).data : undefined
  }
  const { success, data } = ecuConfiguration.safeParse(input)
  return success ? { kind: 'busConfiguration', value: data, sentAt: at } : undefined
}
