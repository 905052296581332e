import { saveFile } from '../../../saveFile.ts'
import { language } from '../../../say.ts'
import { t } from '../../../texts.ts'
import { useAction } from '../../../ui/useAction.ts'
import { useToasts } from '../../../shell/toasts.store.ts'
import { call } from '../../../bridge.ts'

type ReportFormat = 'pdf' | 'csv' | 'json' | 'html'

/** Makes the report of a job, saves it and says where. */
export async function saveReport(id: string, format: ReportFormat, reportLanguage: 'en' | 'es' = language.value): Promise<void> {
  const report = await call('jobs.report', { id, format, language: reportLanguage }, 120_000)
  saveFile(report.fileName, report.mediaType, report.base64)
  useToasts().say(t('windowJobs.report.saved', { file: report.fileName }))
}

/** The same as an action of a screen, which says what failed as well. */
export function useReport(id: string) {
  const toasts = useToasts()
  return useAction((format: ReportFormat, reportLanguage?: 'en' | 'es') => saveReport(id, format, reportLanguage).catch(toasts.sayFailure))
}
