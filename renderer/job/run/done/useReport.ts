import type { Language } from '../../../../preload/base/messages/settings.ts'
import { saveFile } from '../../../base/saveFile.ts'
import { t } from '../../../base/texts.ts'
import { useAction } from '../../../base/ui/useAction.ts'
import { useToasts } from '../../../base/shell/toasts.store.ts'
import { call } from '../../../base/bridge.ts'
import { reportLanguage } from './reportLanguage.ts'

type ReportFormat = 'pdf' | 'evidence' | 'csv' | 'json' | 'html'

/** Creates the report of a job, saves it and shows its location. */
export async function saveReport(id: string, format: ReportFormat, wanted = reportLanguage.value): Promise<void> {
  const report = await call('jobs.report', { id, format, language: wanted }, 120_000)
  sayUnprintable(report)
  saveFile(report.fileName, report.mediaType, report.base64)
  useToasts().say(t('windowJobs.report.saved', { file: report.fileName }))
}

/** Says which characters are question marks in the document, before anybody gets it. */
export function sayUnprintable({ unprintable }: { unprintable?: string | undefined }): void {
  if (unprintable !== undefined) useToasts().say(t('windowJobs.report.unprintable', { characters: unprintable }))
}

/** The same as a screen's action, which also shows a failure. */
export function useReport(id: string) {
  const toasts = useToasts()
  return useAction((format: ReportFormat, wanted?: Language) => saveReport(id, format, wanted).catch(toasts.sayFailure))
}
