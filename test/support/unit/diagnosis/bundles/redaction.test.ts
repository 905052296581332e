import { expect, test } from 'vitest'
import { createRedaction } from '../../../../../main/support/diagnosis/bundles/redaction.ts'
import { createRedactor } from '../../../../../main/base/secrets/redact.ts'
import type { Json } from '../../../../../preload/contract/define.ts'

function redactionOf({
  secrets = [] as string[],
  holds = { positions: true, names: true },
  people = [] as string[]
} = {}) {
  const redactor = createRedactor()
  secrets.forEach((secret) => redactor.add(secret))
  return createRedaction({ redactor, holds, people })
}

const seen: Json = {
  hash: 'c0ffee'.padEnd(64, '0'),
  apn_password: 'orange-9',
  note: 'it took hunter-22',
  path: '/hotspot/edit/yard/hunter-22',
  header: 'Basic Zml0dGVyOmh1bnRlci0yMg==',
  latitude: 4.65,
  place: 'at 4.6512, -74.0512 since then',
  raw: { coords: { latitude: 4.65, longitude: -74.05, speed: 3 }, geometry: [[4.65, -74.05]] },
  drive: { device: [[1, 4.65, -74.05, 3, false]], gateway: [] },
  technician: 'Technician One',
  why: 'Technician One called +57 300 555 0100',
  signatures: { technician: [[1, 2]] }
}

test('secrets are taken out whatever a person chooses, and how many is told; everything else stays', () => {
  const redaction = redactionOf({ secrets: ['hunter-22'] })
  const clean = redaction.json(seen) as Record<string, Json>
  expect(JSON.stringify(clean)).not.toMatch(/hunter-22|orange-9|aHVudGVyLTIy|h1bnRlci0yMg/)
  expect(clean).toMatchObject({
    hash: (seen as { hash: string }).hash,
    latitude: 4.65,
    technician: 'Technician One',
    raw: { coords: { latitude: 4.65 } }
  })
  expect(redaction.masked()).toEqual({ secrets: 5, positions: 0, names: 0 })
})

test('positions are taken out of fields, lists, ways and sentences', () => {
  const redaction = redactionOf({ holds: { positions: false, names: true } })
  const clean = redaction.json(seen) as Record<string, Json>
  expect(JSON.stringify(clean)).not.toMatch(/4\.65|74\.05/)
  expect(clean).toMatchObject({
    latitude: null,
    place: 'at [position] since then',
    raw: { coords: { speed: 3 } },
    drive: { device: [], gateway: [] },
    technician: 'Technician One'
  })
  expect(redaction.masked().positions).toBe(6)
})

test('people are taken out by the names of fields and wherever their names stand', () => {
  const redaction = redactionOf({ holds: { positions: true, names: false }, people: ['Technician One', ''] })
  const clean = redaction.json(seen)
  expect(JSON.stringify(clean)).not.toMatch(/Technician One|555 0100|signatures/)
  expect(clean).toMatchObject({ technician: '[name]', why: '[name] called [name]', latitude: 4.65 })
})

test('a name that means something to the language goes, and keys that become equal stay apart', () => {
  const clean = redactionOf({ secrets: ['first-key', 'other-key'] }).json(
    JSON.parse('{"__proto__": {"x": 1}, "first-key": 1, "other-key": 2}') as Json
  )
  expect(clean).toEqual({ '[hidden]': 1, '[hidden] (2)': 2 })
})
