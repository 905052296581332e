import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { policyKeys } from '../../preload/contract/app/policy.ts'
import { manageMaps, manageSettings } from '../../main/policy/managed.ts'
import { judge, policySchemaJson, readPolicy, type Policy } from '../../main/policy/policy.ts'
import { policyPath } from '../../main/policy/policyPath.ts'
import { defaultSettings } from '../../preload/defaultSettings.ts'
import type { SettingsStore } from '../../main/store/settings.ts'
import type { KeptMaps, MapStore } from '../../main/store/maps.ts'
import { memoryFolder } from '../support/memoryFolder.ts'

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'

describe('a policy file', () => {
  it('is judged value by value: one that cannot be read is named with its line, and the others apply', () => {
    const { values, problems } = judge(`{
  // Comments are allowed.
  "company": { "name": "Rio Norte" },
  "reading": { "language": "es", "units": "furlongs" },
  "updates": { "kanal": "beta" },
  "gateway": { "address": "https://gateway.example/api", "others": false },
  "maps": { "online": { "address": "https://tiles.example/{z}/{x}/{y}.png", "attribution": "Owner" } },
}`)
    expect(values).toEqual({
      'company.name': 'Rio Norte',
      'reading.language': 'es',
      'gateway.address': 'https://gateway.example/api',
      'gateway.others': false,
      'maps.online': { address: 'https://tiles.example/{z}/{x}/{y}.png', attribution: 'Owner' }
    })
    expect(problems.map(({ line, key, sentence }) => [line, key, sentence.id])).toEqual([
      [4, 'reading.units', 'policy.wrongValue'],
      [5, 'updates.kanal', 'policy.unknownKey']
    ])
  })

  it.each([
    ['not JSON', '{ "reading": ', 'policy.notJson'],
    ['a list', '[]', 'policy.notJson'],
    ['empty', '', 'policy.notJson'],
    ['a value twice', '{ "reading": { "language": "es", "language": "en" } }', 'policy.twice'],
    ['a lock without an address', '{ "gateway": { "others": false } }', 'policy.othersNeedAddress'],
    ['an address that is none', '{ "gateway": { "address": "javascript:alert(1)//api" } }', 'policy.wrongValue'],
    ['a proxy with another protocol', '{ "gateway": { "proxy": "file:///etc/passwd" } }', 'policy.wrongValue'],
    ['a name of an object’s prototype', '{ "__proto__": { "x": 1 }, "constructor": 2 }', 'policy.unknownKey'],
    ['a group that is a value', '{ "reading": 3 }', 'policy.unknownKey'],
    ['a deep value', '{ "reading": { "language": { "a": { "b": 1 } } } }', 'policy.wrongValue']
  ])('that is %s has a problem and never throws', (_name, text, id) =>
    expect(judge(text).problems.map(({ sentence }) => sentence.id)).toContain(id)
  )

  const folder = mkdtempSync(join(memoryFolder, 'fitter-policy-'))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('that is missing is no policy, and one that cannot be opened is a problem', () => {
    expect(readPolicy(join(folder, 'missing.json'))).toMatchObject({ isThere: false, problems: [], values: {} })
    expect(readPolicy('/').problems.map(({ sentence }) => sentence.id)).toEqual(['policy.notOpened'])
  })

  it('is only where an administrator can write, except for trials of a checkout', () => {
    const trial = { FITTER_POLICY_FILE: '/tmp/mine.json', ProgramData: 'D:\\Data' }
    expect(policyPath('linux', trial, true)).toBe('/tmp/mine.json')
    expect(policyPath('linux', trial, false)).toBe('/etc/fitter/policy.json')
    expect(policyPath('darwin', trial, false)).toBe('/Library/Application Support/Fitter/policy.json')
    expect(policyPath('win32', trial, false)).toBe('D:\\Data\\Fitter\\policy.json')
  })

  it('has a published schema that names every key', () => {
    const published = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../resources/policy.schema.json'), 'utf8')
    ) as { properties: Record<string, { properties?: object }> }
    expect(published).toEqual(JSON.parse(JSON.stringify(policySchemaJson())))
    const named = Object.entries(published.properties).flatMap(([group, { properties }]) =>
      Object.keys(properties ?? {}).map((name) => `${group}.${name}`)
    )
    expect(named.sort()).toEqual(Object.keys(policyKeys).sort())
  })
})

describe('the page about policies', () => {
  it('has each key with the words of the schema', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/policy.md'), 'utf8')
    const rows = page.slice(
      page.indexOf('|---|---|\n', page.indexOf('<!-- keys')) + 10,
      page.indexOf('\n<!-- end of keys')
    )
    expect(rows.split('\n')).toEqual(
      Object.entries(policyKeys).map(([key, form]) => `| \`${key}\` | ${form.description ?? ''} |`)
    )
  })
})

function policyOf(values: Policy['values']): Policy {
  return { file: '/etc/fitter/policy.json', isThere: true, changedAt: null, values, lines: new Map(), problems: [] }
}

function settingsOf(start: Partial<typeof defaultSettings> = {}): SettingsStore {
  let now = { ...defaultSettings, ...start }
  return {
    get: () => now,
    stored: () => ({ ...start }),
    change: (change) =>
      (now = {
        ...now,
        ...(Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as object)
      })
  }
}

describe('settings below a policy', () => {
  it('are the company’s, and a change of them is refused; the rest is the person’s', () => {
    const own = settingsOf({ units: 'imperial', technician: 'T' })
    const managed = manageSettings(own, policyOf({ 'reading.units': 'metric', 'work.profile': 'strict' }))
    expect(managed.get()).toMatchObject({ units: 'metric', profile: 'strict', technician: 'T' })
    expect(() => managed.change({ units: 'imperial' })).toThrow(expect.objectContaining({ code: 'REFUSED' }))
    expect(managed.change({ units: 'metric', technician: 'U' })).toMatchObject({ units: 'metric', technician: 'U' })
    // The person's own choice comes back with the end of the policy.
    expect(own.get()).toMatchObject({ units: 'imperial', profile: 'standard', technician: 'U' })
  })

  it('use the company’s gateway until another one is chosen, or only that one', () => {
    const address = 'https://gateway.example/api'
    const free = manageSettings(settingsOf(), policyOf({ 'gateway.address': address }))
    expect(free.get().gatewayUrl).toBe(address)
    expect(free.change({ gatewayUrl: 'https://other.example/api' }).gatewayUrl).toBe('https://other.example/api')
    const locked = manageSettings(
      settingsOf({ gatewayUrl: 'https://other.example/api' }),
      policyOf({ 'gateway.address': address, 'gateway.others': false })
    )
    expect(locked.get().gatewayUrl).toBe(address)
    expect(() => locked.change({ gatewayUrl: 'https://other.example/api' })).toThrow(
      expect.objectContaining({ code: 'REFUSED' })
    )
  })

  it('trust the company’s certificates too, and store only the person’s', () => {
    const own = settingsOf({ gatewayAuthorities: ['mine'] })
    const managed = manageSettings(own, policyOf({ 'gateway.certificates': [pem] }))
    expect(managed.get().gatewayAuthorities).toEqual([pem, 'mine'])
    managed.change({ gatewayAuthorities: [pem, 'mine', 'new'] })
    expect(own.get().gatewayAuthorities).toEqual(['mine', 'new'])
  })

  it('are chosen among what the company allows: another choice is refused, and an earlier one is replaced by the first', () => {
    const sites = [
      { name: 'North', address: 'https://north.example/api' },
      { name: 'South', address: 'https://south.example/api' }
    ]
    const own = settingsOf({ language: 'en', gatewayUrl: 'https://old.example/api' })
    const managed = manageSettings(own, policyOf({ 'reading.languages': ['es', 'fr'], 'gateway.sites': sites }))
    expect(managed.get()).toMatchObject({ language: 'es', gatewayUrl: 'https://north.example/api' })
    expect(managed.change({ language: 'fr', gatewayUrl: 'https://south.example/api' })).toMatchObject({
      language: 'fr',
      gatewayUrl: 'https://south.example/api'
    })
    expect(() => managed.change({ language: 'en' })).toThrow(expect.objectContaining({ code: 'REFUSED' }))
    expect(() => managed.change({ gatewayUrl: 'https://old.example/api' })).toThrow(
      expect.objectContaining({ code: 'REFUSED' })
    )
  })

  it('allow the fewest calls to the gateway that somebody set, and keep the person’s own limit', () => {
    const own = settingsOf({ gatewayCalls: 60 })
    const managed = manageSettings(own, policyOf({ 'gateway.callsPerMinute': 30 }))
    expect(managed.get().gatewayCalls).toBe(30)
    expect(managed.change({ gatewayCalls: 20 }).gatewayCalls).toBe(20)
    expect(managed.change({ gatewayCalls: null }).gatewayCalls).toBe(30)
    expect(own.get().gatewayCalls).toBeNull()
  })
})

describe('maps below a policy', () => {
  function mapsOf(start: KeptMaps): MapStore {
    let now = start
    return { get: () => now, keep: (maps) => (now = maps) }
  }

  it('stay off when the company forbids online maps, and the person’s choice is kept', () => {
    const mine = { path: '/my.pmtiles', online: { isOn: true, template: 'https://a/{z}/{x}/{y}', attribution: 'A' } }
    const own = mapsOf(mine)
    const managed = manageMaps(own, policyOf({ 'maps.online': false }))
    expect(managed.get()).toMatchObject({ path: '/my.pmtiles', online: { isOn: false } })
    expect(() => managed.keep(mine)).toThrow(expect.objectContaining({ code: 'REFUSED' }))
    managed.keep({ ...managed.get(), path: '/new.pmtiles' })
    expect(own.get()).toEqual({ ...mine, path: '/new.pmtiles' })
  })
})
