import type { CallInput, CallName, CallOutput } from '../../../../preload/contract/index.ts'
import {
  idOfSetting,
  type DeviceProfile,
  type PreviewRow,
  type ProfilePreview,
  type ProfileRun
} from '../../../../preload/contract/device/deviceProfiles.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { at } from '../../data/fakeData.ts'

export const key = '867698040023064'
const speed = {
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

export const profile: DeviceProfile = {
  id: 'p1',
  name: 'Río Norte 2026',
  savedAt: '2026-11-12T14:20:00.000Z',
  savedBy: 'A. Ruiz',
  from: { model: 'ft4', digits: '023056', vehicle: 'Unit 0007', osVersion: '4.2.1' },
  settings: [
    { kind: 'apn', value: 'internet.rionorte' },
    { kind: 'hotspotOn', value: false },
    { kind: 'wifiOn', value: true },
    { kind: 'busParameter', value: speed, sentAt: '2026-11-12T14:00:00.000Z' },
    {
      kind: 'busParameter',
      value: { ...speed, PARAM_NAME: 'FUEL_LEVEL', PGN: 'FEFC' },
      sentAt: '2026-11-12T14:00:00.000Z'
    }
  ]
}
export const listed = { ...profile, settings: profile.settings.length }

function row(index: number, more: Partial<PreviewRow>): PreviewRow {
  const setting = profile.settings[index]
  if (!setting) throw new Error(`No setting ${index}`)
  return {
    id: idOfSetting(setting),
    setting,
    now: null,
    state: 'same',
    why: null,
    sentBeforeAt: null,
    cut: null,
    ...more
  }
}

/** Two changes, one that is the same, one that cannot be read back, and one that was sent before. */
export function preview(more: Partial<ProfilePreview> = {}): ProfilePreview {
  return {
    profile: listed,
    device: { key, imei: key, model: 'ft4', osVersion: '4.2.1' },
    readAt: at(0),
    isSameModel: true,
    isSameSystem: true,
    rows: [
      row(0, { state: 'changes', now: 'claro.test' }),
      row(1, { state: 'changes', now: true }),
      row(2, { now: true }),
      row(3, { state: 'cannotRead' }),
      row(4, { state: 'sentBefore', sentBeforeAt: at(-3_600) })
    ],
    link: { over: 'ethernet', detail: message('workspace.viaEthernet', { host: '10.0.0.31' }) },
    openJob: null,
    refusal: null,
    ...more
  }
}

export function run(
  states: Record<string, ProfileRun['rows'][number]['state']>,
  more: Partial<ProfileRun> = {}
): ProfileRun {
  const rows = preview()
    .rows.filter(({ id }) => states[id] !== undefined)
    .map(({ id, setting, now }) => ({ id, setting, before: now, state: states[id] ?? 'waiting', detail: null }))
  return {
    id: 'run1',
    key,
    imei: key,
    profile: { id: profile.id, name: profile.name },
    startedAt: at(1),
    state: 'running',
    why: null,
    rows,
    ...more
  }
}

type ProfileCall = Extract<CallName, `deviceProfiles.${string}`>

/** Answers of the calls about device profiles for the fake core. */
export const deviceProfileAnswers: { [Name in ProfileCall]: (input: CallInput<Name>) => CallOutput<Name> } = {
  'deviceProfiles.list': () => ({ profiles: [listed] }),
  'deviceProfiles.show': () => ({ profile }),
  'deviceProfiles.read': () => ({
    id: 'draft1',
    readAt: at(0),
    from: profile.from,
    settings: profile.settings.slice(1).map((setting) => ({ id: idOfSetting(setting), setting })),
    unread: [{ kind: 'apn', why: message('deviceProfiles.notShown') }]
  }),
  'deviceProfiles.save': ({ name, settings }) => ({
    profile: { ...listed, id: 'p2', name, settings: settings.length }
  }),
  'deviceProfiles.rename': ({ name }) => ({ profile: { ...listed, name } }),
  'deviceProfiles.remove': () => ({}),
  'deviceProfiles.export': () => ({ fileName: 'device-profile-rio-norte-2026.json', text: '{}' }),
  'deviceProfiles.import': () => ({ outcome: 'refused', why: message('deviceProfiles.notOurs') }),
  'deviceProfiles.preview': () => preview(),
  'deviceProfiles.apply': ({ settings }) => ({
    kind: 'started',
    run: run(Object.fromEntries(settings.map((id) => [id, 'waiting' as const])))
  }),
  'deviceProfiles.runs': () => ({ runs: [] }),
  'deviceProfiles.stop': () => run({}, { state: 'stopped' }),
  'deviceProfiles.plans': () => ({ plans: [] }),
  'deviceProfiles.cancelPlan': () => ({})
}
