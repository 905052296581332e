import { parentPort } from 'node:worker_threads'
import { AppError } from '../../../../preload/contract/errors.ts'
import { drawPdfReport, type PdfReportInput } from './pdf.ts'
import type { PdfAnswer } from './pdfThread.ts'

const port = parentPort
if (!port) throw new Error('This file is started as a worker')

port.on('message', (input: PdfReportInput) => {
  drawPdfReport(input).then(
    (drawn) => port.postMessage(drawn satisfies PdfAnswer),
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error
      port.postMessage({ failure: error.toData() } satisfies PdfAnswer)
    }
  )
})
