import { encode } from 'uqr'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Signature } from '../../../../preload/contract/job/jobs.ts'
import { formatTime } from '../../../../preload/base/messages/times.ts'
import type { Box } from './pdfMap.ts'
import { colors, type Doc } from './pdfMarks.ts'
import { page, styles, type FrontContext } from './pdfSheet.ts'
import { heightOf, type Line } from './pdfText.ts'
import { shortenText } from '../redact.ts'

export interface Signatures {
  technician?: Signature | undefined
  customer?: Signature | undefined
}

export const signHeight = 78

/**
 * At the foot of the page: the signatures, handwritten if drawn on the screen, and the seal as a code for cameras with
 * `linesOf` beside it.
 */
export function addSignatures(
  { doc, sheet, job, texts }: FrontContext,
  drawn: Signatures,
  linesOf: (width: number) => Line[]
): void {
  const signOff = job.steps.find(({ kind, state }) => kind === 'signOff' && state === 'pass')
  const top = page.bottom - signHeight
  const when = signOff?.lastResult?.at
  const people: [string, Message, Signature | undefined][] = [
    [job.technician, message('report.signedTechnician'), drawn.technician],
    [job.customer, message('report.signedCustomer'), drawn.customer]
  ]
  const width = 134
  people.forEach(([name, role, signed], index) => {
    // A typed signature is the name below.
    const signature = Array.isArray(signed) ? signed : undefined
    const x = page.left + index * (width + 14)
    if (!signOff || name === '') return
    if (signature)
      sheet.tags.element(
        'Figure',
        () => sheet.tags.text(() => drawSignature(doc, signature, { x, y: top, width, height: 38 })),
        { alt: name }
      )
    sheet.tags.artifact(() => sheet.line(x, top + 40, width, colors.muted))
    const lines = sheet
      .wrap(
        [
          { text: `${shortenText(name, 60)} `, style: { ...styles.strong, size: 8.5 } },
          { text: texts.say(role), style: { ...styles.body, size: 8.5 } }
        ],
        width
      )
      .slice(0, 2)
    sheet.drawLines(lines, x, top + 43)
    // The technician signs off with a name; a customer whose name was only entered has not signed.
    const isUnsigned = role.id === 'report.signedCustomer' && !signed
    const how = isUnsigned
      ? texts.say(message('report.notSigned'))
      : when
        ? texts.say(
            message(signature ? 'report.signedOnScreen' : 'report.signedByName', {
              when: formatTime(when, 'time', texts.settings)
            })
          )
        : ''
    if (how)
      sheet.drawLines(
        sheet.wrap([{ text: how, style: styles.small }], width).slice(0, 2),
        x,
        top + 43 + heightOf(lines)
      )
  })
  drawCode({ doc, sheet, job, texts }, top, linesOf)
  sheet.moveTo(top + signHeight)
}

export const codeSide = 72
const besideCode = 116

/** The seal of a job for cameras, and beside it what it is for. */
export function drawCode(
  { doc, sheet, job, texts }: Omit<FrontContext, 'evidenceName'>,
  top: number,
  linesOf: (width: number) => Line[]
): void {
  if (job.seal === '') return
  const qr = encode(`FITTER 1 ${job.id} ${job.seal} ${job.sealed?.fingerprint ?? '-'}`, { ecc: 'M', border: 0 })
  const cell = codeSide / qr.size
  sheet.tags.element(
    'Figure',
    () =>
      sheet.tags.text(() => {
        for (const [row, cells] of qr.data.entries()) {
          for (const [column, isDark] of cells.entries())
            if (isDark) doc.rect(page.right - codeSide + column * cell, top + row * cell, cell * 1.02, cell * 1.02)
        }
        doc.fill('#000000')
      }),
    { alt: texts.say(message('report.qr')) }
  )
  sheet.drawLines(linesOf(besideCode).slice(0, 8), page.right - codeSide - besideCode - 8, top)
}

function drawSignature(doc: Doc, strokes: readonly (readonly number[])[], box: Box): void {
  const scale = Math.min(box.width / 1000, box.height / 1000)
  // A field of 1000 by 1000 that was drawn on a wide surface keeps its own width.
  const [scaleX, scaleY] = [box.width / 1000, Math.max(scale, box.height / 1000)]
  doc.save().lineWidth(1.1).lineCap('round').lineJoin('round').strokeColor('#17307a')
  for (const stroke of strokes) {
    for (let index = 0; index + 1 < stroke.length; index += 2) {
      const [x, y] = [box.x + (stroke[index] ?? 0) * scaleX, box.y + (stroke[index + 1] ?? 0) * scaleY]
      if (index === 0) doc.moveTo(x, y)
      else doc.lineTo(x, y)
    }
    doc.stroke()
  }
  doc.restore()
}
