import { describe, expect, it } from 'vitest'
import {
  idOfSetting,
  mostProfileBytes,
  type DeviceProfile,
  type PreviewRow,
  type ProfileSetting
} from '../../../../preload/contract/device/deviceProfiles.ts'
import type { DeviceWrite, EcuEntry } from '../../../../preload/contract/device/workspace.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { inSendingOrder } from '../../../../main/support/deviceSession/deviceProfiles/applying.ts'
import {
  profileFileName,
  readProfileFile,
  writeProfileFile
} from '../../../../main/support/deviceSession/deviceProfiles/fileForm.ts'
import { compareProfile, type Compared } from '../../../../main/support/deviceSession/deviceProfiles/preview.ts'
import {
  sentBusSettings,
  toSettings,
  type ShownSettings
} from '../../../../main/support/deviceSession/deviceProfiles/readSettings.ts'

const speed: EcuEntry = {
  PARAM_NAME: 'ENGINE_SPEED',
  PGN: 'F004',
  TRANSMISSION_RATE: '100',
  PRIORITY: '3',
  DLC: '8',
  LENGTH: '2',
  START_POSITION: '4',
  MULTIPLIER: '0.125',
  GROUP: 'SIGNAL',
  OFFSET: 0
}
const buses = { PRIMARY_CAN: 'CAN1', SECONDARY_CAN: '', J1708: 'FALSE', LISTEN_ONLY_MODE: 'NONE' }
const sentAt = '2026-11-12T14:00:00.000Z'
const settings: ProfileSetting[] = [
  { kind: 'apn', value: 'internet.rionorte' },
  { kind: 'hotspotOn', value: false },
  { kind: 'wifiOn', value: true },
  { kind: 'busConfiguration', value: buses, sentAt },
  { kind: 'busParameter', value: speed, sentAt }
]
const shown: ShownSettings = {
  osVersion: '4.2.1',
  apn: { value: 'claro.test', why: null },
  hotspotOn: { value: true, why: null },
  wifiOn: { value: true, why: null }
}
const profile: DeviceProfile = {
  id: 'p1',
  name: 'Río Norte / 2026',
  savedAt: sentAt,
  savedBy: 'A. Ruiz',
  from: { model: 'ft4', digits: '023056', vehicle: 'Unit 0007', osVersion: '4.2.1' },
  settings
}

function write(operation: string, input: object, more: Partial<DeviceWrite> = {}): DeviceWrite {
  return {
    id: 1,
    at: '2026-11-01T08:00:00.000Z',
    operation,
    input: input as never,
    by: '',
    jobId: null,
    outcome: 'done',
    detail: message('workspace.taken'),
    answer: null,
    ...more
  }
}
function compare(more: Partial<Compared> = {}): Record<string, PreviewRow> {
  const link = {
    address: '192.168.8.7:8080',
    over: 'ethernet' as const,
    detail: message('workspace.viaEthernet', { host: '192.168.8.7' })
  }
  return Object.fromEntries(
    compareProfile({ settings, shown, link, writes: [], isSameModel: true, ...more }).map((row) => [row.id, row])
  )
}
const via = (over: 'ethernet' | 'hotspot' | 'wifi' | 'unknown') => ({
  address: '',
  over,
  detail: message('workspace.viaHotspot', { host: '192.168.43.1' })
})

describe('A profile beside a device', () => {
  it('says what changes, what is the same, and what cannot be read', () => {
    const rows = compare()
    expect(rows['apn']).toMatchObject({ state: 'changes', now: 'claro.test', cut: null })
    expect(rows['hotspotOn']).toMatchObject({ state: 'changes', now: true })
    expect(rows['wifiOn']).toMatchObject({ state: 'same', now: true })
    expect(rows['busConfiguration']).toMatchObject({ state: 'cannotRead', now: null })
    expect(rows['busParameter:ENGINE_SPEED']).toMatchObject({ state: 'cannotRead', why: null })
  })

  it('leaves out what the device does not show, with the reason', () => {
    const why = message('deviceProfiles.notShown')
    expect(compare({ shown: { ...shown, apn: { value: null, why } } })['apn']).toMatchObject({
      state: 'leftOut',
      why,
      now: null
    })
  })

  it('leaves the engine bus out on another model, and only there', () => {
    const left = Object.values(compare({ isSameModel: false })).filter(({ state }) => state === 'leftOut')
    expect(left.map(({ id, why }) => [id, why?.id])).toEqual([
      ['busConfiguration', 'deviceProfiles.otherModelBus'],
      ['busParameter:ENGINE_SPEED', 'deviceProfiles.otherModelBus']
    ])
    // An unknown model is not another one.
    expect(Object.values(compare({ isSameModel: null })).some(({ state }) => state === 'leftOut')).toBe(false)
  })

  it('knows what Fitter sent before, also without an answer, and never counts what was refused', () => {
    const bus = (writes: DeviceWrite[]) => compare({ writes })['busParameter:ENGINE_SPEED']
    expect(bus([write('ecu.addParameter', speed)])).toMatchObject({
      state: 'sentBefore',
      sentBeforeAt: '2026-11-01T08:00:00.000Z'
    })
    expect(bus([write('ecu.addParameter', speed, { outcome: 'unknown' })])?.state).toBe('sentBefore')
    expect(bus([write('ecu.addParameter', speed, { outcome: 'refused' })])?.state).toBe('cannotRead')
    // Another entry with this name stays in the list of the device.
    expect(bus([write('ecu.addParameter', { ...speed, PGN: 'F005' })])).toMatchObject({
      state: 'cannotRead',
      why: { id: 'deviceProfiles.otherEntry' }
    })
    // Of the interface only what was sent last counts.
    const interfaces = (writes: DeviceWrite[]) => compare({ writes })['busConfiguration']?.state
    expect(interfaces([write('ecu.configure', buses)])).toBe('sentBefore')
    expect(interfaces([write('ecu.configure', { ...buses, J1708: 'TRUE' }), write('ecu.configure', buses)])).toBe(
      'cannotRead'
    )
  })

  it('asks before a hotspot is started over the Wi-Fi of the device, which ends then, and starts it last', () => {
    const rows = (over: 'wifi' | 'ethernet') =>
      compare({
        settings: [
          { kind: 'hotspotOn', value: true },
          { kind: 'apn', value: 'new.example' }
        ],
        shown: { ...shown, hotspotOn: { value: false, why: null } },
        link: via(over)
      })
    expect(rows('wifi')['hotspotOn']?.cut).toMatchObject({
      detail: { id: 'workspace.cuts' },
      wayBack: { id: 'workspace.backJoinHotspot' }
    })
    expect(inSendingOrder(Object.values(rows('wifi'))).map(({ id }) => id)).toEqual(['apn', 'hotspotOn'])
    expect(rows('ethernet')['hotspotOn']?.cut).toBeNull()
  })

  it('says what can cut our own connection, and sends that last', () => {
    const overHotspot = compare({ link: via('hotspot'), shown: { ...shown, wifiOn: { value: false, why: null } } })
    expect(overHotspot['apn']?.cut?.detail.id).toBe('deviceProfiles.apnCuts')
    expect(overHotspot['hotspotOn']?.cut?.detail.id).toBe('workspace.cuts')
    expect(overHotspot['wifiOn']?.cut).toBeNull()
    expect(compare({ link: via('unknown') })['apn']?.cut?.detail.id).toBe('workspace.mayCut')
    expect(compare({ link: via('wifi') })['apn']?.cut).toBeNull()
    expect(inSendingOrder(Object.values(overHotspot)).map(({ id }) => id)).toEqual([
      'busConfiguration',
      'busParameter:ENGINE_SPEED',
      'wifiOn',
      'apn',
      'hotspotOn'
    ])
  })
})

describe('A reading for a new profile', () => {
  it('contains only values that a profile may contain', () => {
    const { settings: read, unread } = toSettings({
      ...shown,
      apn: { value: `a${'b'.repeat(400)}`, why: null },
      wifiOn: { value: null, why: message('deviceProfiles.notShown') }
    })
    expect(read.map(idOfSetting)).toEqual(['hotspotOn'])
    expect(unread.map(({ kind, why }) => [kind, why.id])).toEqual([
      ['apn', 'deviceProfiles.unusable'],
      ['wifiOn', 'deviceProfiles.notShown']
    ])
  })

  it('has of the engine bus what the device accepted from Fitter, the last of each name', () => {
    const found = sentBusSettings([
      write('ecu.addParameter', { ...speed, PRIORITY: '6' }, { at: '2026-11-03T08:00:00.000Z' }),
      write('ecu.addParameter', { ...speed, PARAM_NAME: 'LOST' }, { outcome: 'unknown' }),
      write('ecu.addParameter', speed),
      write('ecu.addParameter', { PARAM_NAME: 'BROKEN' }),
      write('ecu.configure', buses)
    ])
    expect(found.map((one) => [idOfSetting(one), 'sentAt' in one && one.sentAt])).toEqual([
      ['busConfiguration', '2026-11-01T08:00:00.000Z'],
      ['busParameter:ENGINE_SPEED', '2026-11-03T08:00:00.000Z']
    ])
  })
})

describe('The file of a profile', () => {
  const text = writeProfileFile(profile)
  const changed = (change: (file: Record<string, unknown>) => void) => {
    const file = JSON.parse(text) as Record<string, unknown>
    change(file)
    return readProfileFile(JSON.stringify(file))
  }
  const why = (result: ReturnType<typeof readProfileFile>) => (result.outcome === 'refused' ? result.why.id : 'read')

  it('brings the same settings back, without the vehicle and without an IMEI', () => {
    const read = readProfileFile(text)
    expect(read.outcome === 'read' && read.file.settings).toEqual(settings)
    expect(text).not.toContain('Unit 0007')
    expect(text).not.toMatch(/\d{14,}/)
    expect(profileFileName(profile.name)).toBe('device-profile-rio-norte-2026.json')
  })

  it('is refused when it is none, too large, newer, or not exactly of this form', () => {
    expect(why(readProfileFile('{"format":"fitter-snapshot"}'))).toBe('deviceProfiles.notOurs')
    expect(why(readProfileFile('not json'))).toBe('deviceProfiles.notOurs')
    expect(why(readProfileFile('null'))).toBe('deviceProfiles.notOurs')
    expect(why(readProfileFile('['.repeat(100_000)))).toBe('deviceProfiles.notOurs')
    expect(why(readProfileFile(`${text}${' '.repeat(mostProfileBytes)}`))).toBe('deviceProfiles.tooLarge')
    expect(why(changed((file) => (file['version'] = 2)))).toBe('deviceProfiles.newer')
    expect(why(changed((file) => (file['command'] = 'reboot')))).toBe('deviceProfiles.broken')
    expect(why(changed((file) => (file['settings'] = [{ kind: 'exec', value: 'reboot' }])))).toBe(
      'deviceProfiles.broken'
    )
    expect(why(changed((file) => (file['settings'] = [settings[0], settings[0]])))).toBe('deviceProfiles.broken')
    expect(why(changed((file) => (file['settings'] = [])))).toBe('deviceProfiles.broken')
    expect(why(changed((file) => (file['name'] = 'two\nlines')))).toBe('deviceProfiles.broken')
    expect(
      why(
        changed(
          (file) =>
            (file['settings'] = Array.from({ length: 600 }, (_, n) => ({
              kind: 'busParameter',
              sentAt,
              value: { ...speed, PARAM_NAME: `P${n}` }
            })))
        )
      )
    ).toBe('deviceProfiles.broken')
  })
})
