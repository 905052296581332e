import type { Language } from '../../../../preload/messages/settings.ts'
import type { Job } from '../../../../preload/contract/jobs/jobs.ts'
import { saveFile } from '../../../saveFile.ts'
import { t } from '../../../texts.ts'
import { useAction } from '../../../ui/useAction.ts'
import { useToasts } from '../../../shell/toasts.store.ts'
import { fromBase64 } from '../../../shell/filePieces.ts'
import { call } from '../../../bridge.ts'
import { reportLanguage } from './reportLanguage.ts'

type ReportFormat = 'pdf' | 'csv' | 'json' | 'html'

/** Creates the report of a job, saves it and shows its location. */
export async function saveReport(id: string, format: ReportFormat, wanted = reportLanguage.value): Promise<void> {
  const report = await call('jobs.report', { id, format, language: wanted }, 120_000)
  saveFile(report.fileName, report.mediaType, report.base64)
  useToasts().say(t('windowJobs.report.saved', { file: report.fileName }))
}

/** The same as a screen's action, which also shows a failure. */
export function useReport(id: string) {
  const toasts = useToasts()
  return useAction((format: ReportFormat, wanted?: Language) => saveReport(id, format, wanted).catch(toasts.sayFailure))
}

/**
 * Hands the customer's report over: to the system's share sheet, else it is saved and a new mail is opened where there is a
 * mail program.
 */
export async function sendReport(job: Pick<Job, 'id' | 'vehicle' | 'vehicleText'>): Promise<void> {
  const { fileName, mediaType, base64 } = await call('jobs.report', { id: job.id, format: 'pdf', language: reportLanguage.value }, 120_000)
  const file = new File([fromBase64(base64)], fileName, { type: mediaType })
  if (navigator.canShare?.({ files: [file] }) && (await share(file))) return
  saveFile(fileName, mediaType, base64)
  const vehicle = job.vehicle?.name ?? job.vehicleText
  const { opened } = await call('app.writeMail', { subject: t('windowStage.done.mailSubject', { vehicle }), text: t('windowStage.done.mailText', { vehicle }) })
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
