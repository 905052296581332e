import { expect, it } from 'vitest'
import {
  mostSnapshotBytes,
  readSnapshot,
  writeSnapshot
} from '../../../../../main/support/diagnosis/snapshots/fileForm.ts'
import { diffSnapshots } from '../../../../../main/support/diagnosis/snapshots/diff.ts'
import { english } from '../../../../world/window/english.ts'
import { readingOf, sampleSnapshot } from '../../../../world/data/bundles/snapshots.ts'

const file = (change: object) => JSON.stringify({ ...sampleSnapshot(), ...change })

it('reads back what it wrote, and writes the same again', () => {
  const text = writeSnapshot(sampleSnapshot())
  const read = readSnapshot(text)
  expect(read).toEqual({ outcome: 'read', snapshot: sampleSnapshot() })
  expect(read.outcome === 'read' && writeSnapshot(read.snapshot)).toBe(text)
})

it('answers a file of a newer version in one sentence, whatever else is in it', () => {
  const read = readSnapshot(JSON.stringify({ format: 'fitter-snapshot', version: 7, anything: [] }))
  expect(read.outcome).toBe('newer')
  expect(read.outcome === 'newer' && english(read.why)).toBe(
    'A newer version of Fitter made this snapshot (format 7). Install the latest version to open it.'
  )
})

const refused: [string, string, string][] = [
  ['nothing', '', 'notOurs'],
  ['no JSON', 'PK\u0003\u0004', 'notOurs'],
  ['a list', '[]', 'notOurs'],
  ['null', 'null', 'notOurs'],
  ['other JSON', '{"a": 1}', 'notOurs'],
  [
    'a depth that would end the program',
    `{"format":"fitter-snapshot","version":1,"gateway":${'['.repeat(100_000)}`,
    'notOurs'
  ],
  [
    'more objects than anybody needs',
    `{"format":"fitter-snapshot","version":1,"readings":[${'{},'.repeat(30_000)}{}]}`,
    'notOurs'
  ],
  ['more bytes than a snapshot can have', ' '.repeat(mostSnapshotBytes + 1), 'tooLarge'],
  ['a version that is none', file({ version: '1' }), 'broken'],
  ['a field more', file({ more: 1 }), 'broken'],
  ['a time that is none', file({ takenAt: 'yesterday' }), 'broken'],
  ['a reading of something unknown', file({ readings: { 'exec.run': readingOf({}) } }), 'broken'],
  ['a reading without its time', file({ readings: { 'io.all': { ...readingOf({}), readAt: '<b>' } } }), 'broken'],
  ['names without end', file({ by: 'x'.repeat(10_000) }), 'broken']
]
it.each(refused)('refuses %s', (_what, text, outcome) => {
  expect(readSnapshot(text).outcome).toBe(outcome)
})

it('compares what a file claims without being led astray by it', () => {
  const hostile = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"name": 1}}') as never
  const read = readSnapshot(writeSnapshot(sampleSnapshot({ 'io.all': hostile })))
  if (read.outcome !== 'read') throw new Error(read.outcome)
  expect(diffSnapshots(sampleSnapshot(), read.snapshot).differences.length).toBeGreaterThan(10)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  // More fields than two people could compare are not known rather than listed.
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]))
  expect(diffSnapshots(sampleSnapshot(), sampleSnapshot({ 'io.all': many })).unknown).toContainEqual({
    area: 'io',
    part: null
  })
})
