import { message } from '../../../preload/contract/messages.ts'
import { askPhotos } from '../askPhotos.ts'
import { pass, withFigure, type CheckContext, type Outcome } from '../check.ts'

/** Pictures of something that has to be seen. */
export async function checkPhoto(context: CheckContext<'photo'>): Promise<Outcome> {
  const { instruction, purpose = 'other', minPhotos = 1 } = context.plan
  const photos = await askPhotos(context, { text: instruction, purpose, minPhotos })
  const n = photos.length
  context.saw({ witness: 'person', what: message('person.photosKept', { n }), raw: { sha256: photos.map(({ sha256 }) => sha256) }, thresholds: { minPhotos } })
  return withFigure(message('person.photos', { n }), pass(message('person.photosKept', { n }), ['person']))
}
