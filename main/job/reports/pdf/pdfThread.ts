import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { openThread } from '../../../base/threads/thread.ts'
import type { DrawnReport, PdfReportInput } from './pdf.ts'
import { keepText, redactJob, shortenText, type Redact } from '../redact.ts'

/** A longer text is cut (a page has some 6,000 characters): breaking it into lines would take minutes. */
export const longestTextLength = 8_000
const limitMs = 50_000

type Input = PdfReportInput & { redact?: Redact; onUnprintable?: ((characters: string[]) => void) | undefined }

/** A thread that creates one document after the other. */
export type PdfThread = ReturnType<typeof openPdfThread>

/** Documents are drawn in a separate thread, started with the first one, so that watching an output never waits. */
export function openPdfThread() {
  const thread = openThread<PdfReportInput, DrawnReport>('pdfWorker', import.meta.url)
  return {
    /** UNREADABLE when the fonts are missing, TIMEOUT when it takes too long; then the next one gets a new thread. */
    async make({ redact = keepText, onUnprintable, ...input }: Input): Promise<Uint8Array> {
      const job = redactJob(input.job, (text) => shortenText(redact(text), longestTextLength))
      try {
        const { content, unprintable } = await thread.ask({ ...input, job }, { limitMs })
        if (unprintable.length > 0) onUnprintable?.(unprintable)
        return content
      } catch (error) {
        if ((error as Error).name !== 'TimeoutError') throw error
        throw new AppError('TIMEOUT', message('report.tooSlow', { limitMs }), { retryable: true })
      }
    },
    close: thread.close
  }
}

export async function makePdfReport(input: Input): Promise<Uint8Array> {
  const thread = openPdfThread()
  try {
    return await thread.make(input)
  } finally {
    await thread.close()
  }
}
