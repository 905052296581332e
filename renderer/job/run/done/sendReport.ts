import type { Job } from '../../../../preload/contract/job/jobs.ts'
import { call } from '../../../base/bridge.ts'
import { saveFile } from '../../../base/saveFile.ts'
import { fromBase64 } from '../../../base/shell/filePieces.ts'
import { useToasts } from '../../../base/shell/toasts.store.ts'
import { t } from '../../../base/texts.ts'
import { reportLanguage } from './reportLanguage.ts'
import { sayUnprintable } from './useReport.ts'
import { vehicleNameOf } from '../../../../preload/job/vehicleName.ts'

/**
 * Hands the customer's report over: to the system's share sheet, else it is saved and a new mail is opened where there
 * is a mail program.
 */
export async function sendReport(job: Pick<Job, 'id' | 'vehicle' | 'vehicleText'>): Promise<void> {
  const { fileName, mediaType, base64, unprintable } = await call(
    'jobs.report',
    { id: job.id, format: 'pdf', language: reportLanguage.value },
    120_000
  )
  sayUnprintable({ unprintable })
  const file = new File([fromBase64(base64)], fileName, { type: mediaType })
  if (navigator.canShare?.({ files: [file] }) && (await share(file))) return
  saveFile(fileName, mediaType, base64)
  const vehicle = vehicleNameOf(job)
  const { opened } = await call('app.writeMail', {
    subject: t('windowStage.done.mailSubject', { vehicle }),
    text: t('windowStage.done.mailText', { vehicle })
  })
  useToasts().say(t(opened ? 'windowStage.done.attach' : 'windowJobs.report.saved', { file: fileName }))
}

/** False when the system refuses, for example because the press was too long ago. */
async function share(file: File): Promise<boolean> {
  try {
    await navigator.share({ files: [file], title: file.name })
    return true
  } catch (cause) {
    return cause instanceof DOMException && cause.name === 'AbortError'
  }
}
