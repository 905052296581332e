import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { policyKeys } from '../../../preload/contract/app/policy.ts'
import { manageMaps, manageSettings } from '../../../main/app/policy/managed.ts'
import { judge, policySchemaJson, readPolicy, type Policy } from '../../../main/app/policy/policy.ts'
import { policyPath } from '../../../main/app/policy/policyPath.ts'
import { defaultSettings } from '../../../preload/app/defaultSettings.ts'
import type { SettingsStore } from '../../../main/data/store/settings.ts'
import type { KeptMaps, MapStore } from '../../../main/data/store/maps.ts'
import { memoryFolder } from '../../world/memoryFolder.ts'

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

  it.each([
    ['lists', '['],
    ['groups', '{"a":'],
    ['a value of lists', '{"reading":{"language":['],
    ['a value of groups below a comment with a quotation mark', '{ // say "\n"maps":{"online":{"a":']
  ])('of 50,000 levels of %s, closed or not, has a problem and never throws', (_name, begin) => {
    const open = begin.slice(
      begin.lastIndexOf('{') > begin.lastIndexOf('[') ? begin.lastIndexOf('{') : begin.lastIndexOf('[')
    )
    const close = open === '[' ? ']' : '}'
    for (const levels of [1_000, 50_000, 200_000]) {
      const deep = `${begin}${open.repeat(levels)}`
      expect(judge(deep).problems.map(({ sentence }) => sentence.id)).toEqual(['policy.tooDeep'])
      expect(judge(`${deep}1${close.repeat(levels + 5)}`).problems.map(({ sentence }) => sentence.id)).toEqual([
        'policy.tooDeep'
      ])
    }
  })

  it.each(['/*', '{ "reading": { /*', '{}/*/'])('that ends in a comment, as %j, is read to its end', (text) => {
    expect(judge(text).problems.map(({ sentence }) => sentence.id)).toEqual(['policy.notJson'])
  })

  it('of the largest size is read in a moment, whatever it contains, and names only the first of its problems', () => {
    const many = `{${Array.from({ length: 70_000 }, (_, index) => `\n"k${index}":1`).join(',')},\n"reading":{"units":"metric"}}`
    const startedMs = performance.now()
    const { values, problems } = judge(many)
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    expect(values).toEqual({ 'reading.units': 'metric' })
    expect(problems).toHaveLength(101)
    expect([problems[0]?.line, problems[99]?.line, problems[100]]).toEqual([
      2,
      101,
      { line: 102, key: '', sentence: { id: 'policy.moreProblems', values: { n: 69_900 } } }
    ])
    // A name as long as the file does not fill the screen either.
    const [long] = judge(`{"${'n'.repeat(900_000)}":1}`).problems
    expect(JSON.stringify(long).length).toBeLessThan(400)
  })

  it('of any bytes, values and broken texts never throws, and the problems are sentences with a line of the file', () => {
    const valid =
      '{ "reading": { "language": "es", "units": "metric" }, /* c */ "gateway": { "address": "https://gateway.example/api", "sites": [] }, "maps": { "online": false } }'
    const piece = fc.oneof(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '//',
        '/*',
        '*/',
        '\n',
        'null',
        '1e999',
        '"__proto__"',
        '"reading"',
        '"gateway"',
        '\u0000',
        '\uD800',
        '\uFEFF'
      ),
      fc.string({ unit: 'binary' }),
      fc.json()
    )
    const broken = fc
      .tuple(fc.nat(valid.length), fc.nat(20), piece)
      .map(([at, length, text]) => valid.slice(0, at) + text + valid.slice(at + length))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((pieces) => pieces.join('')),
          broken,
          fc.json()
        ),
        (text) => {
          const lines = text.split('\n').length
          for (const { line, sentence } of judge(text).problems) {
            expect(line).toBeGreaterThanOrEqual(1)
            expect(line).toBeLessThanOrEqual(lines)
            expect(sentence.id).toMatch(/^policy\./)
          }
        }
      ),
      { numRuns: 2_000 }
    )
  })

  const folder = mkdtempSync(join(memoryFolder, 'fitter-policy-'))
  beforeEach(() => void mkdirSync(folder, { recursive: true }))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('that is missing is no policy, and one that cannot be opened is a problem', () => {
    expect(readPolicy(join(folder, 'missing.json'))).toMatchObject({ isThere: false, problems: [], values: {} })
    expect(readPolicy('/').problems.map(({ sentence }) => sentence.id)).toEqual(['policy.notOpened'])
    // A device or a pipe in its place would be read for ever.
    expect(readPolicy('/dev/zero').problems.map(({ sentence }) => sentence.id)).toEqual(['policy.notAFile'])
    const large = join(folder, 'large.json')
    writeFileSync(large, Buffer.alloc(1_000_001, 0x20))
    expect(readPolicy(large).problems.map(({ sentence }) => sentence.id)).toEqual(['policy.tooLarge'])
    for (const bytes of [Buffer.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), Buffer.alloc(1_000_000), randomBytes(10_000)]) {
      writeFileSync(large, bytes)
      expect(readPolicy(large).problems.map(({ sentence }) => sentence.id)).toEqual(['policy.notJson'])
    }
  })

  it('is only where an administrator can write, except for trials of a checkout', () => {
    const trial = { FITTER_POLICY_FILE: '/tmp/mine.json', ProgramData: 'D:\\Data' }
    expect(policyPath('linux', trial, true)).toBe('/tmp/mine.json')
    expect(policyPath('linux', trial, false)).toBe('/etc/fitter/policy.json')
    expect(policyPath('darwin', trial, false)).toBe('/Library/Application Support/Fitter/policy.json')
    // The folder that Windows names, not the one of the user's environment.
    expect(policyPath('win32', trial, false, () => 'E:\\Shared')).toBe('E:\\Shared\\Fitter\\policy.json')
    expect(
      policyPath('win32', { ...trial, SystemRoot: 'D:\\Data', SystemDrive: 'D:', ALLUSERSPROFILE: 'D:\\Data' }, false)
    ).toBe('C:\\ProgramData\\Fitter\\policy.json')
  })

  it('has a published schema that names every key', () => {
    const published = JSON.parse(
      readFileSync(join(import.meta.dirname, '..', '..', '..', 'resources', 'policy.schema.json'), 'utf8')
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
    const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'policy.md'), 'utf8')
    const table = page.slice(page.indexOf('<!-- keys'), page.indexOf('<!-- end of keys'))
    const rows = [...table.matchAll(/^\| (`.+?`) +\| (.*?) +\|$/gm)].map(([, key, words]) => [key, words])
    expect(rows).toEqual(Object.entries(policyKeys).map(([key, form]) => [`\`${key}\``, form.description ?? '']))
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
