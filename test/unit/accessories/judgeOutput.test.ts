import { expect, test } from 'vitest'
import { judgeOutput } from '../../../main/accessories/remoteOutput.ts'
import { readLook } from '../../../main/accessories/photoCapture.ts'
import type { PhotoView } from '../../../preload/contract/accessories.ts'

const event = { at: '2026-01-01T00:00:00Z', ageS: 12, type: 10, label: 'prdtst', speedKmh: 0, validPosition: true }
const ignition = (on: boolean | null) => [{ name: 'IGN', kind: 'ignition' as const, number: 0, on, isShorted: null }]
const bus = (isEngineOn: boolean) => ({ protocol: '', firmware: '', isDetected: true, isEngineOn, isUpgrading: false, updatedAt: null, raw: null })
const good = { event, engineBus: null, lines: ignition(false) }
const broken = (view: Parameters<typeof judgeOutput>[0], isBusy = false) =>
  judgeOutput(view, isBusy)
    .filter(({ holds }) => !holds)
    .map(({ id }) => id)

test('a parked vehicle with a fresh event and the ignition off may be switched', () => {
  expect(broken(good)).toEqual([])
})
test.each([
  ['an old event', { ...good, event: { ...event, ageS: 61 } }, ['fresh']],
  ['no event', { ...good, event: null }, ['fresh', 'standing']],
  ['a moving vehicle', { ...good, event: { ...event, speedKmh: 1 } }, ['standing']],
  ['a speed that is not known', { ...good, event: { ...event, speedKmh: null } }, ['standing']],
  ['an invalid position', { ...good, event: { ...event, validPosition: false } }, ['standing']],
  ['the ignition on', { ...good, lines: ignition(true) }, ['engineOff']],
  ['an ignition that is not known', { ...good, lines: [] }, ['engineOff']],
  ['a running engine', { ...good, engineBus: bus(true) }, ['engineOff']]
])('%s holds it back', (_what, view, ids) => {
  expect(broken(view)).toEqual(ids)
})
test('another output that is followed holds it back', () => {
  expect(broken(good, true)).toEqual(['idle'])
})

const photo = (change: Partial<PhotoView>): PhotoView => ({ source: 0, statusNo: 4, outcome: 'ready', meaning: 'photo ready', remedy: '', photoId: 1, takenAt: null, sizeBytes: 3, sha256: 'a', base64: 'b', ...change })
test('a picture that was there before is not taken for the new one', () => {
  expect(readLook({ photos: [photo({})], event: null }, new Set(['0/1/null']), 'n').kind).toBe('waiting')
})
test('one camera that still works keeps the others waiting; one that failed makes a problem with its remedy', () => {
  expect(readLook({ photos: [photo({}), photo({ source: 1, outcome: 'working', statusNo: 3 })], event: null }, new Set(), 'n').kind).toBe('waiting')
  expect(readLook({ photos: [photo({}), photo({ source: 1, outcome: 'failed', remedy: 'Check it.' })], event: null }, new Set(), 'n')).toMatchObject({ kind: 'problem', remedy: 'Check it.' })
})
test('the picture itself is not in the evidence', () => {
  expect(JSON.stringify(readLook({ photos: [photo({ base64: 'SECRETPICTURE' })], event: null }, new Set(), 'n'))).toContain('SECRETPICTURE')
  const look = readLook({ photos: [photo({ base64: 'SECRETPICTURE' })], event: null }, new Set(), 'n')
  expect(look.kind === 'found' && JSON.stringify(look.evidence)).not.toContain('SECRETPICTURE')
})
