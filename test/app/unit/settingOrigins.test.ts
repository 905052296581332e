import { expect, it } from 'vitest'
import { defaultSettings } from '../../../preload/app/defaultSettings.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import { applyPolicy } from '../../../main/app/policy/managed.ts'
import type { Policy } from '../../../main/app/policy/policy.ts'
import { findSettingOrigins } from '../../../main/app/settingOrigins.ts'
import type { Store } from '../../../main/data/store/index.ts'

const [north, south, own] = ['https://north.example/api', 'https://south.example/api', 'https://own.example/api']
const sites = [
  { name: 'Norte', address: north },
  { name: 'Sur', address: south }
]

/** The row of the gateway, for what is stored, what the company says and what the command line names. */
function gatewayOf(stored: Partial<Settings>, values: Policy['values'], gatewayUrl?: string) {
  const policy = { values, lines: new Map(Object.keys(values).map((key, at) => [key, at + 2])) } as unknown as Policy
  const store = {
    settings: { get: () => applyPolicy({ ...defaultSettings, ...stored }, policy), stored: () => stored },
    maps: { get: () => ({ path: null, online: { isOn: false, address: '', attribution: '' } }) },
    teamPush: { membership: () => null }
  } as unknown as Store
  const row = findSettingOrigins({ store, policy, given: { gatewayUrl } }).find(
    ({ name }) => name.id === 'common.gateway'
  )
  return [row?.value.values['text'] ?? row?.value.id, row?.from]
}

it.each<[string, Partial<Settings>, Policy['values'], string | undefined, [string, string]]>([
  ['nothing', {}, {}, undefined, ['common.noneInText', 'default']],
  ['an own one', { gatewayUrl: own }, {}, undefined, [own, 'person']],
  ['the command line', { gatewayUrl: own }, {}, north, [north, 'environment']],
  ['one that the company suggests', {}, { 'gateway.address': north }, undefined, [north, 'company']],
  ['another than the suggested one', { gatewayUrl: own }, { 'gateway.address': north }, undefined, [own, 'person']],
  [
    'the only one of the company, whatever was stored',
    { gatewayUrl: own },
    { 'gateway.address': north, 'gateway.others': false },
    undefined,
    [north, 'company']
  ],
  ['the first of two sites', {}, { 'gateway.sites': sites }, undefined, [north, 'company']],
  ['the chosen one of two sites', { gatewayUrl: south }, { 'gateway.sites': sites }, undefined, [south, 'person']],
  [
    'a stored one that is none of the sites',
    { gatewayUrl: own },
    { 'gateway.sites': sites },
    undefined,
    [north, 'company']
  ],
  ['a site of the command line', { gatewayUrl: north }, { 'gateway.sites': sites }, south, [south, 'environment']]
])(
  'the gateway is %s, and the source that is named is the one that counts',
  (_name, stored, values, given, expected) => {
    expect(gatewayOf(stored, values, given)).toEqual(expected)
  }
)
