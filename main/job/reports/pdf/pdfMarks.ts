import type PDFKit from 'pdfkit'
import type { Tone } from '../stateTexts.ts'

export type Doc = InstanceType<typeof PDFKit>

export const colors = {
  text: '#17201b',
  muted: '#57625b',
  faint: '#6d776f',
  line: '#d9dcd4',
  sunk: '#f4f5f2',
  accent: '#0b6b5d'
} as const

export const toneColors: Record<Tone, { ink: string; soft: string }> = {
  pass: { ink: '#177245', soft: '#dcf1e3' },
  warn: { ink: '#8a5a00', soft: '#fdeecb' },
  fail: { ink: '#b3261e', soft: '#fbe1de' },
  live: { ink: '#1457d9', soft: '#dfe9fd' },
  wait: { ink: '#57625b', soft: '#e7eae4' },
  receive: { ink: '#57625b', soft: '#e7eae4' },
  defer: { ink: '#6b3fa0', soft: '#ece3f7' },
  // Same colour family as a warning: a waiver must never look harmless. It has its own shape.
  waive: { ink: '#8a3a00', soft: '#fce5d4' }
}

/** Draws a status shape in a square of `size` points, one form for each tone. */
export function drawMark(doc: Doc, tone: Tone, x: number, y: number, size: number): void {
  const { ink } = toneColors[tone]
  const centre = size / 2
  const radius = size * 0.44
  const stroke = size * 0.1
  doc.save().translate(x, y).lineWidth(stroke).lineCap('round').lineJoin('round')
  const ring = (): Doc => doc.circle(centre, centre, radius - stroke / 2)
  if (tone === 'pass') {
    doc.circle(centre, centre, radius).fill(ink)
    doc
      .moveTo(size * 0.3, size * 0.52)
      .lineTo(size * 0.44, size * 0.66)
      .lineTo(size * 0.7, size * 0.36)
      .stroke('#ffffff')
  } else if (tone === 'warn') {
    doc.polygon([centre, size * 0.1], [size * 0.94, size * 0.88], [size * 0.06, size * 0.88]).fill(ink)
    doc
      .moveTo(centre, size * 0.4)
      .lineTo(centre, size * 0.6)
      .stroke('#ffffff')
    doc.circle(centre, size * 0.75, stroke * 0.6).fill('#ffffff')
  } else if (tone === 'fail') {
    for (let corner = 0; corner < 8; corner++) {
      const angle = Math.PI / 8 + (corner * Math.PI) / 4
      const cornerX = centre + radius * 1.06 * Math.cos(angle)
      const cornerY = centre + radius * 1.06 * Math.sin(angle)
      if (corner === 0) doc.moveTo(cornerX, cornerY)
      else doc.lineTo(cornerX, cornerY)
    }
    doc.closePath().fill(ink)
    doc
      .moveTo(size * 0.36, size * 0.36)
      .lineTo(size * 0.64, size * 0.64)
      .stroke('#ffffff')
    doc
      .moveTo(size * 0.64, size * 0.36)
      .lineTo(size * 0.36, size * 0.64)
      .stroke('#ffffff')
  } else if (tone === 'waive') {
    ring().stroke(ink)
    doc
      .moveTo(size * 0.22, size * 0.78)
      .lineTo(size * 0.78, size * 0.22)
      .stroke(ink)
  } else if (tone === 'defer') {
    ring().stroke(ink)
    doc
      .moveTo(centre, size * 0.27)
      .lineTo(centre, centre)
      .lineTo(size * 0.66, size * 0.6)
      .stroke(ink)
  } else if (tone === 'receive') {
    ring().stroke(ink)
    doc
      .moveTo(centre, size * 0.3)
      .lineTo(centre, size * 0.68)
      .stroke(ink)
    doc
      .moveTo(size * 0.35, size * 0.54)
      .lineTo(centre, size * 0.69)
      .lineTo(size * 0.65, size * 0.54)
      .stroke(ink)
  } else if (tone === 'live') {
    ring()
      .dash(radius * 0.75, { space: radius * 0.55 })
      .stroke(ink)
      .undash()
  } else {
    ring().stroke(ink)
  }
  doc.restore()
}
