import { expect, test } from 'vitest'
import { beginningOf, hasLinkTo } from '../../../../main/gateway/client/vehicles/linkHistory.ts'

const since = Date.parse('2026-11-20T10:00:00Z')

test.each([
  ['ids and epoch seconds', { associations: [{ aid: 9, start: since / 1000 + 5 }] }],
  [
    'a nested entity and an ISO time without zone',
    { history: [{ entity: { id: 9 }, linked_at: '2026-11-20T10:00:05' }] }
  ],
  ['deeper in the record', { device: { links: [{ secondary_id: '9', time: since + 5000 }] } }],
  ['an end before and a later start', { x: [{ asset_id: 9, from: since / 1000 + 1, until: null }] }]
])('an association after the attempt is found: %s', (_, record) => {
  expect(hasLinkTo({ id: 1, ...record }, 9, since)).toMatchObject({ found: true, sure: true })
})

test('the id of a history entry itself is not the id of the entity', () => {
  expect(hasLinkTo({ id: 1, associations: [{ id: 9, asset: 12, start: since / 1000 + 5 }] }, 9, since).found).toBe(
    false
  )
})

test('a history of devices alone says nothing about entities', () => {
  expect(hasLinkTo({ id: 1, device_history: [{ imei: 1, start: since / 1000 }] }, 9, since)).toEqual({
    found: false,
    sure: false
  })
})

test('an older association is not ours', () => {
  expect(hasLinkTo({ id: 1, associations: [{ aid: 9, start: since / 1000 - 60 }] }, 9, since)).toEqual({
    found: false,
    sure: true
  })
})

test('an older one with a later end is not ours either', () => {
  const record = { id: 1, associations: [{ aid: 9, start: since / 1000 - 60, end_time: since / 1000 + 60 }] }
  expect(hasLinkTo(record, 9, since)).toEqual({ found: false, sure: true })
})

test('a newer association counts although an older one comes first', () => {
  const record = {
    id: 1,
    associations: [
      { aid: 9, start: since / 1000 - 60 },
      { aid: 9, start: since / 1000 + 2 }
    ]
  }
  expect(hasLinkTo(record, 9, since).found).toBe(true)
})

test('an association without a time is found, but not for sure', () => {
  expect(hasLinkTo({ id: 1, associations: [{ aid: 9 }] }, 9, since)).toMatchObject({ found: true, sure: false })
})

test('without a known start any association counts', () => {
  expect(hasLinkTo({ id: 1, associations: [{ aid: 9 }] }, 9)).toMatchObject({ found: true, sure: true })
})

test('the same number elsewhere in the record is no association', () => {
  const record = { id: 9, groups: [{ id: 9 }], info: { doors: [{ count: 9 }] }, users: [{ id: 9, name: 'x' }] }
  expect(hasLinkTo(record, 9, since)).toEqual({ found: false, sure: false })
})

test('a history that lacks the entity is absent for sure, a record without one is not', () => {
  expect(hasLinkTo({ id: 1, associations: [] }, 9, since)).toEqual({ found: false, sure: true })
  expect(hasLinkTo({ id: 1, associations: [{ aid: 8, start: 1 }] }, 9, since)).toEqual({ found: false, sure: true })
  expect(hasLinkTo({ id: 1, name: 'Van' }, 9, since)).toEqual({ found: false, sure: false })
})

test('an empty list within the association history is absence for sure', () => {
  const record = { id: 1, association_history: { entities: [], device: [{ device_id: 3, associated_at: 1 }] } }
  expect(hasLinkTo(record, 9, since)).toEqual({ found: false, sure: true })
})

test.each([null, undefined, 7, 'x', [], {}])('%j is no record with a history', (record) => {
  expect(hasLinkTo(record, 9, since)).toEqual({ found: false, sure: false })
})

test('an entry of the second in which the test began counts, one that an event had named before it began does not', () => {
  const startMs = since + 2_950
  const tapMs = since + 1_400
  const record = { id: 1, associations: [{ aid: 9, start: tapMs }] }
  expect(hasLinkTo(record, 9, beginningOf({ sinceMs: startMs })).found).toBe(true)
  expect(hasLinkTo(record, 9, beginningOf({ sinceMs: startMs, afterMs: since + 1_000 })).found).toBe(false)
  expect(
    hasLinkTo(
      { id: 1, associations: [{ aid: 9, start: since + 4_000 }] },
      9,
      beginningOf({ sinceMs: startMs, afterMs: since + 1_000 })
    ).found
  ).toBe(true)
})

test('an entry that the gateway wrote a second after the event of the same tap is not a new tap', () => {
  const afterMs = since + 1_000
  expect(
    hasLinkTo(
      { id: 1, associations: [{ aid: 9, start: since + 2_000 }] },
      9,
      beginningOf({ sinceMs: since + 1_900, afterMs })
    ).found
  ).toBe(false)
})
