import { randomFillSync } from 'node:crypto'
import jpeg from 'jpeg-js'
import PDFDocument from 'pdfkit'
import { makePdfReport } from '../../main/job/reports/pdf/pdfThread.ts'
import { message } from '../../preload/contract/messages.ts'
import { makeSealedJob, makeSigner } from '../world/data/sealedJob.ts'

/**
 * npm run bench -- reports [--photos 12]: a report with photos of 2560 pixels, made in its thread, against a bare PDF
 * with the same pictures and nothing else, in turn.
 */
const at = process.argv.indexOf('--photos')
const photos = at < 0 ? 12 : Number(process.argv[at + 1])
const rounds = 5

/** A picture that compresses no better than a real one. */
function makePhoto(): Uint8Array {
  const [width, height] = [2560, 1440]
  const data = Buffer.alloc(width * height * 4)
  const noise = randomFillSync(Buffer.alloc(width * height))
  for (let index = 0; index < width * height; index++) {
    data[index * 4] = ((index % width) / 12 + (noise[index] ?? 0) / 24) & 255
    data[index * 4 + 1] = (Math.floor(index / width) / 8) & 255
    data[index * 4 + 2] = 128
    data[index * 4 + 3] = 255
  }
  return new Uint8Array(jpeg.encode({ data, width, height }, 85).data)
}

function makeBare(pictures: readonly Uint8Array[]): Promise<number> {
  const doc = new PDFDocument({ size: 'A4', font: null as unknown as string })
  let bytes = 0
  doc.on('data', (chunk: Buffer) => (bytes += chunk.length))
  const ended = new Promise<number>((resolve) => doc.on('end', () => resolve(bytes)))
  for (const picture of pictures) doc.addPage().image(Buffer.from(picture), 0, 0, { width: 500 })
  doc.end()
  return ended
}

const pictures = Array.from({ length: photos }, makePhoto)
const { job } = await makeSealedJob(makeSigner().sign)
const reader = { language: 'en', units: 'metric', timeZone: 'UTC' } as const
const times: { ours: number[]; cpu: number[]; bare: number[] } = { ours: [], cpu: [], bare: [] }
let bytes = 0
for (let round = 0; round < rounds; round++) {
  const cpu = process.cpuUsage()
  let startedMs = performance.now()
  const content = await makePdfReport({
    job,
    generatedAt: '2026-11-20T17:00:00.000Z',
    appVersion: '0',
    reader,
    isTraining: false,
    part: 'evidence',
    fileNames: { customer: 'report.pdf', evidence: 'report-evidence.pdf' },
    photos: pictures.map((bytes) => ({ jpeg: bytes, purpose: message('report.photo.wiring'), takenAt: null }))
  })
  times.ours.push(performance.now() - startedMs)
  times.cpu.push(process.cpuUsage(cpu).user / 1000)
  bytes = content.length
  startedMs = performance.now()
  await makeBare(pictures)
  times.bare.push(performance.now() - startedMs)
}
const middle = (list: number[]): string =>
  `${Math.round(list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0)} ms (slowest ${Math.round(Math.max(...list))} ms)`
process.stdout.write(
  `${photos} photos of 2560 x 1440 px, ${(pictures.reduce((sum, one) => sum + one.length, 0) / 1e6).toFixed(1)} MB; report ${(bytes / 1e6).toFixed(1)} MB\n`
)
process.stdout.write(
  `report in its thread: ${middle(times.ours)}, of the processor ${middle(times.cpu)}; bare PDF with the same pictures: ${middle(times.bare)}\n`
)
if (Math.max(...times.ours) > 3_000) {
  process.stdout.write('A report has to be there within 3 s.\n')
  process.exitCode = 1
}
