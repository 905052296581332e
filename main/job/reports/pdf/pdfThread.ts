import { Worker } from 'node:worker_threads'
import { AppError, type ErrorData } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { DrawnReport, PdfReportInput } from './pdf.ts'
import { keepText, redactJob, shortenText, type Redact } from '../redact.ts'

export type PdfAnswer = DrawnReport | { failure: ErrorData }

/** A longer text is cut (a page has some 6,000 characters): breaking it into lines would take minutes. */
export const longestTextLength = 8_000
const limitMs = 50_000

/** A TypeScript file when run from the sources; beside the bundle in the built application. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './pdfWorker.ts' : './pdfWorker.mjs', import.meta.url)

type Input = PdfReportInput & { redact?: Redact; onUnprintable?: ((characters: string[]) => void) | undefined }

/** A thread that creates one document after the other. */
export type PdfThread = ReturnType<typeof openPdfThread>

/** Documents are drawn in a separate thread, started with the first one, so that watching an output never waits. */
export function openPdfThread() {
  let worker: Worker | undefined

  async function close(): Promise<void> {
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  /** UNREADABLE when the fonts are missing, TIMEOUT when it takes too long; then the next one gets a new thread. */
  async function make({ redact = keepText, onUnprintable, ...input }: Input): Promise<Uint8Array> {
    const job = redactJob(input.job, (text) => shortenText(redact(text), longestTextLength))
    const thread = (worker ??= new Worker(workerFile))
    let timer: NodeJS.Timeout | undefined
    let release = () => {}
    try {
      const answer = await new Promise<PdfAnswer>((resolve, reject) => {
        const exit = () => reject(new Error('The thread that makes the report ended without an answer'))
        thread.once('message', resolve).once('error', reject).once('exit', exit)
        release = () => void thread.off('message', resolve).off('error', reject).off('exit', exit)
        timer = setTimeout(
          () => reject(new AppError('TIMEOUT', message('report.tooSlow', { limitMs }), { retryable: true })),
          limitMs
        )
        thread.postMessage({ ...input, job })
      })
      if ('content' in answer) {
        if (answer.unprintable.length > 0) onUnprintable?.(answer.unprintable)
        return answer.content
      }
      const { code, message: sentence, retryable } = answer.failure
      throw new AppError(code, sentence, { retryable })
    } catch (error) {
      await close()
      throw error
    } finally {
      clearTimeout(timer)
      release()
    }
  }

  return { make, close }
}

export async function makePdfReport(input: Input): Promise<Uint8Array> {
  const thread = openPdfThread()
  try {
    return await thread.make(input)
  } finally {
    await thread.close()
  }
}
