import { Worker } from 'node:worker_threads'
import { AppError, type ErrorData } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { PdfReportInput } from './pdf.ts'
import { keepText, redactJob, shorten, type Redact } from './redact.ts'

/** What the thread answers with. */
export type PdfAnswer = { content: Uint8Array } | { failure: ErrorData }

/** Of one text: a page holds some 6,000 characters. A longer one is cut, or it would take minutes to break into lines. */
export const longestTextLength = 8_000
const limitMs = 50_000

/** From the sources it is a TypeScript file; in the built application it lies beside the bundle. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './pdfWorker.ts' : './pdfWorker.mjs', import.meta.url)

/**
 * Makes the document in a thread of its own: whoever watches an output never waits for it.
 * Throws AppError UNREADABLE when the fonts are missing, TIMEOUT when it takes too long.
 */
export async function makePdfReport({ redact = keepText, ...input }: PdfReportInput & { redact?: Redact }): Promise<Uint8Array> {
  const job = redactJob(input.job, (text) => shorten(redact(text), longestTextLength))
  const worker = new Worker(workerFile, { workerData: { ...input, job } })
  let timer: NodeJS.Timeout | undefined
  try {
    const answer = await new Promise<PdfAnswer>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The thread that makes the report ended without an answer')))
      timer = setTimeout(() => reject(new AppError('TIMEOUT', message('report.tooSlow', { limitMs }), { retryable: true })), limitMs)
    })
    if ('content' in answer) return answer.content
    const { code, message: sentence, retryable } = answer.failure
    throw new AppError(code, sentence, { retryable })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
