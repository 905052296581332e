import type { Attachment } from '../../../../preload/contract/job/attachments.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { CheckContext, MessageOrText } from '../engine/check.ts'

/** Asks until this attempt has enough pictures and the person confirms that these are all. */
export async function askPhotos(
  context: CheckContext,
  { text, purpose, minPhotos }: { text: MessageOrText; purpose: Attachment['purpose']; minPhotos: number }
): Promise<Attachment[]> {
  const ofAttempt = () => photosOfAttempt(context)
  let hint: Message | null = null
  for (;;) {
    context.show({ say: text, hint, meters: [], leftMs: null })
    await context.ask({ kind: 'photo', text, purpose, minPhotos, attached: ofAttempt().map(({ sha256 }) => sha256) })
      .answered
    const photos = ofAttempt()
    if (photos.length >= minPhotos) return photos
    hint = message('person.morePhotos', { n: minPhotos - photos.length })
  }
}

export function photosOfAttempt({ job, step }: Pick<CheckContext, 'job' | 'step'>): Attachment[] {
  return job.attachments.filter(({ stepId, attempt }) => stepId === step.id && attempt === step.attempts)
}
