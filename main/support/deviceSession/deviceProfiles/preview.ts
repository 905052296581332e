import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { DeviceChange, DeviceWrite, EcuEntry } from '../../../../preload/contract/device/workspace.ts'
import {
  idOfSetting,
  type ApnLogin,
  type DeviceProfile,
  type PreviewRow,
  type ProfileSetting
} from '../../../../preload/contract/device/deviceProfiles.ts'
import { cutsLink, type Link } from '../link.ts'
import { busSettingOf, type ShownSettings } from './readSettings.ts'

/**
 * What a setting is sent as: a change that is read back where the API allows it, or an entry of the engine-bus list.
 */
export type SentAs = { kind: 'change'; change: DeviceChange } | { kind: 'entry'; entry: EcuEntry }

export function sentAs(setting: ProfileSetting, login: ApnLogin): SentAs {
  switch (setting.kind) {
    case 'apn':
      return { kind: 'change', change: { operation: 'modem.editApn', apn: setting.value, ...login } }
    case 'hotspotOn':
      return { kind: 'change', change: { operation: setting.value ? 'hotspot.start' : 'hotspot.stop' } }
    case 'wifiOn':
      return { kind: 'change', change: { operation: setting.value ? 'wifi.start' : 'wifi.stop' } }
    case 'busConfiguration':
      return { kind: 'change', change: { operation: 'ecu.configure', ...setting.value } }
    case 'busParameter':
      return { kind: 'entry', entry: setting.value }
  }
}

/** The effect of a setting on our own connection; null when there is none. */
export function cutOf(setting: ProfileSetting, link: Link): PreviewRow['cut'] {
  // The hotspot carries this computer's traffic over the modem that gets the new APN.
  if (setting.kind === 'apn') {
    if (link.over === 'unknown')
      return { detail: message('workspace.mayCut', { link: link.detail }), wayBack: message('deviceProfiles.apnBack') }
    return link.over === 'hotspot'
      ? { detail: message('deviceProfiles.apnCuts'), wayBack: message('deviceProfiles.apnBack') }
      : null
  }
  const sent = sentAs(setting, { user: '', pass: '', pin: '' })
  return sent.kind === 'change' ? (cutsLink(sent.change, link) ?? null) : null
}

export interface Compared {
  settings: DeviceProfile['settings']
  shown: ShownSettings
  link: Link
  /** What Fitter sent to this device to its engine bus, newest first. */
  writes: readonly DeviceWrite[]
  isSameModel: boolean | null
}

/** Each setting of a profile beside what the device shows now. Pure. */
export function compareProfile({ settings, shown, link, writes, isSameModel }: Compared): PreviewRow[] {
  const sent = writes.filter(({ outcome }) => outcome === 'done' || outcome === 'unknown')
  return settings.map((setting) => {
    const row = { id: idOfSetting(setting), setting, now: null, why: null, sentBeforeAt: null, cut: null }
    if (setting.kind === 'busConfiguration' || setting.kind === 'busParameter') {
      // Nothing shows whether another model has these entries at all.
      if (isSameModel === false) return { ...row, state: 'leftOut', why: message('deviceProfiles.otherModelBus') }
      return { ...row, ...compareSent(setting, sent) }
    }
    const { value, why } = shown[setting.kind]
    if (value === null) return { ...row, state: 'leftOut', why }
    if (value === setting.value) return { ...row, now: value, state: 'same' }
    return { ...row, now: value, state: 'changes', cut: cutOf(setting, link) }
  })
}

function compareSent(
  setting: ProfileSetting,
  sent: readonly DeviceWrite[]
): Pick<PreviewRow, 'state' | 'why' | 'sentBeforeAt'> {
  const id = idOfSetting(setting)
  const same = sent.filter((write) => {
    const other = busSettingOf(write)
    return other !== undefined && idOfSetting(other) === id
  })
  const isEqual = (write: DeviceWrite) => isSameValue(busSettingOf(write), setting)
  // Of a configuration only the last one counts; entries of the list add up.
  const before = setting.kind === 'busConfiguration' ? same.slice(0, 1).find(isEqual) : same.find(isEqual)
  if (before) return { state: 'sentBefore', why: null, sentBeforeAt: before.at }
  const other = setting.kind === 'busParameter' ? same[0] : undefined
  const why: Message | null = other ? message('deviceProfiles.otherEntry', { sentAt: other.at }) : null
  return { state: 'cannotRead', why, sentBeforeAt: null }
}

function isSameValue(one: ProfileSetting | undefined, other: ProfileSetting): boolean {
  const sorted = (value: unknown) => JSON.stringify(Object.entries(Object(value)).sort(([a], [b]) => (a < b ? -1 : 1)))
  return one !== undefined && sorted(one.value) === sorted(other.value)
}
