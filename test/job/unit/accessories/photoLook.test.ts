import { message } from '../../../../preload/contract/messages.ts'
import { expect, test } from 'vitest'
import { readLook } from '../../../../main/job/accessories/photoCapture.ts'
import type { PhotoView } from '../../../../preload/contract/gateway/accessories.ts'

const photo = (change: Partial<PhotoView>): PhotoView => ({
  source: 0,
  statusNo: 4,
  outcome: 'ready',
  meaning: message('photos.ready'),
  remedy: null,
  photoId: 1,
  takenAt: null,
  sizeBytes: 3,
  sha256: 'a',
  base64: 'b',
  ...change
})
test('a picture that was there before is not taken for the new one', () => {
  expect(readLook({ photos: [photo({})], event: null }, new Set(['0/1/null']), message('photos.askedFor')).kind).toBe(
    'waiting'
  )
})
test('one camera that still works keeps the others waiting; one that failed makes a problem with its remedy', () => {
  expect(
    readLook(
      { photos: [photo({}), photo({ source: 1, outcome: 'working', statusNo: 3 })], event: null },
      new Set(),
      message('photos.askedFor')
    ).kind
  ).toBe('waiting')
  expect(
    readLook(
      {
        photos: [photo({}), photo({ source: 1, outcome: 'failed', remedy: message('photos.checkWiring') })],
        event: null
      },
      new Set(),
      message('photos.askedFor')
    )
  ).toMatchObject({ kind: 'problem', remedy: { id: 'photos.checkWiring' } })
})
test('the picture itself is not in the evidence', () => {
  expect(
    JSON.stringify(
      readLook({ photos: [photo({ base64: 'SECRETPICTURE' })], event: null }, new Set(), message('photos.askedFor'))
    )
  ).toContain('SECRETPICTURE')
  const look = readLook(
    { photos: [photo({ base64: 'SECRETPICTURE' })], event: null },
    new Set(),
    message('photos.askedFor')
  )
  expect(look.kind === 'found' && JSON.stringify(look.evidence)).not.toContain('SECRETPICTURE')
})
