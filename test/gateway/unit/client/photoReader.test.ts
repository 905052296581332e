import { expect, test } from 'vitest'
import { photosOf } from '../../../../main/gateway/client/accessories/photoReader.ts'
import { photoAnswer } from '../../../../main/gateway/client/records/photoRecords.ts'
import { photoView } from '../../../../preload/contract/gateway/accessories.ts'

test.each([17, 'p-17'])('the id of a photo may be a number or a text, the document does not say: %s', (id) => {
  const answer = photoAnswer.parse({
    photos: [{ status: 'Photo ready', status_no: 4, source: 0, photo_id: id }],
    event: null
  })
  const [photo] = photosOf(answer).photos
  expect(photoView.parse(photo).photoId).toBe(id)
})
