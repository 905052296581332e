import { saveFile } from '../../saveFile.ts'
import { language } from '../../say.ts'
import { t } from '../../texts.ts'
import { useAction } from '../../ui/useAction.ts'
import { useToasts } from '../app/toasts.store.ts'
import { useJobs } from './jobs.store.ts'

export type ReportFormat = 'pdf' | 'csv' | 'json'

/** Makes the report of a job and saves it; says what came of it. */
export function useReport(id: string) {
  const jobs = useJobs()
  const toasts = useToasts()
  return useAction(async (format: ReportFormat, reportLanguage: 'en' | 'es' = language.value) => {
    try {
      const report = await jobs.makeReport({ id, format, language: reportLanguage })
      saveFile(report.fileName, report.mediaType, report.base64)
      toasts.say(t('windowJobs.report.saved', { file: report.fileName }))
    } catch (cause) {
      toasts.sayFailure(cause)
    }
  })
}
