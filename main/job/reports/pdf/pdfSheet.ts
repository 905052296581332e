import type { Job } from '../../../../preload/contract/job/jobs.ts'
import type { Texts } from '../../../base/messages/texts.ts'
import { fontFeatures, type Fonts } from './pdfFonts.ts'
import { colors, drawMark, type Doc } from './pdfMarks.ts'
import { createTags } from './pdfTags.ts'
import { heightOf, wrapText, type Line, type Span, type TextStyle } from './pdfText.ts'
import type { Tone } from '../stateTexts.ts'

export const page = { width: 595.28, height: 841.89, left: 48, right: 547.28, top: 64, bottom: 784 } as const
export const contentWidth = page.right - page.left

export interface Cell {
  spans: Span[]
  /** Status shape before the text. */
  mark?: Tone
}

export interface Column {
  title: string
  width: number
}

const cellPadding = { x: 6, y: 5 }
const markSize = 11
const markSpace = 16

export const styles = {
  body: { size: 9.5, weight: 400, color: colors.text },
  strong: { size: 9.5, weight: 600, color: colors.text },
  label: { size: 8, weight: 600, color: colors.muted },
  small: { size: 8, weight: 400, color: colors.muted },
  faint: { size: 7.5, weight: 400, color: colors.faint },
  heading: { size: 13, weight: 700, color: colors.text },
  title: { size: 22, weight: 700, color: colors.text }
} as const satisfies Record<string, TextStyle>

export type Sheet = ReturnType<typeof createSheet>

export interface ReportContext {
  sheet: Sheet
  job: Job
  texts: Texts
}

export interface FrontContext extends ReportContext {
  doc: Doc
  /** The name of the file with the evidence. */
  evidenceName: string
}

/** Pages that fill from top to bottom: text, rules and tables that continue on a new page. */
export function createSheet(doc: Doc, fonts: Fonts) {
  const tags = createTags(doc)
  let y: number = page.top
  const sections: { text: string; page: number }[] = []

  function drawLines(lines: Line[], x: number, top: number): number {
    if (lines.length > 0) tags.text(() => drawPieces(lines, x, top))
    return top + heightOf(lines)
  }

  function drawPieces(lines: Line[], x: number, top: number): void {
    for (const line of lines) {
      for (const piece of line.pieces) {
        let at = x + piece.x
        const { size, weight, color } = piece.style
        for (const run of fonts.split(piece.text, weight)) {
          doc.font(run.font).fontSize(size).fillColor(color)
          // Centred by the font size, not by the font's own ascent, so that parts of different fonts share a baseline.
          doc.text(run.text, at, top + line.height / 2 + size * 0.36, {
            lineBreak: false,
            baseline: 'alphabetic',
            features: fontFeatures as never
          })
          at += fonts.measure(run.text, weight, size)
        }
      }
      top += line.height
    }
  }

  function newPage(): void {
    doc.addPage()
    y = page.top
  }

  const pageNumber = (): number => doc.bufferedPageRange().count

  function room(): number {
    return page.bottom - y
  }

  /** Starts a new page when less than `height` is left. */
  function keep(height: number): void {
    if (room() < height && y > page.top) newPage()
  }

  /** Text over the full width or a part of it, continuing over pages. */
  function paragraph(spans: Span[], { x = page.left, width = contentWidth, after = 0 } = {}): void {
    for (const line of wrapText(fonts, spans, width)) {
      keep(line.height)
      y = drawLines([line], x, y)
    }
    y += after
  }

  /** A paragraph with a status shape before its first line. */
  function markedParagraph(tone: Tone, spans: Span[]): void {
    const lines = wrapText(fonts, spans, contentWidth - markSpace)
    lines.forEach((line, index) => {
      keep(line.height)
      if (index === 0) tags.artifact(() => drawMark(doc, tone, page.left, y + (line.height - markSize) / 2, markSize))
      y = drawLines([line], page.left + markSpace, y)
    })
  }

  function widthOf(line: Line | undefined): number {
    const last = line?.pieces.at(-1)
    return last ? last.x + fonts.measure(last.text, last.style.weight, last.style.size) : 0
  }

  function heading(text: string, { keepWith = 60 } = {}): void {
    y = y > page.top ? y + 16 : y
    keep(keepWith)
    doc.outline.addItem(text)
    sections.push({ text, page: pageNumber() })
    tags.element('H2', () => paragraph([{ text, style: styles.heading }], { after: 6 }))
  }

  function rule(atY: number): void {
    tags.artifact(() =>
      doc.moveTo(page.left, atY).lineTo(page.right, atY).lineWidth(0.6).strokeColor(colors.line).stroke()
    )
  }

  function line(x: number, atY: number, width: number, color: string = colors.line): void {
    doc
      .moveTo(x, atY)
      .lineTo(x + width, atY)
      .lineWidth(0.6)
      .strokeColor(color)
      .stroke()
  }

  /** Rows stay together if they fit on a page; a longer row is split between lines. */
  function table(columns: Column[], rows: Cell[][]): void {
    const starts = columns.map(
      (_, index) => page.left + columns.slice(0, index).reduce((sum, { width }) => sum + width, 0)
    )
    const wrapCells = (cells: Cell[]): Line[][] =>
      cells.map(({ spans, mark }, index) =>
        wrapText(fonts, spans, columns[index]!.width - 2 * cellPadding.x - (mark ? markSpace : 0))
      )
    const header = wrapCells(columns.map(({ title }) => ({ spans: [{ text: title, style: styles.label }] })))

    function drawHeader(): void {
      const height = Math.max(...header.map(heightOf)) + 8
      tags.artifact(() => doc.rect(page.left, y, contentWidth, height).fill(colors.sunk))
      tags.element('TR', () =>
        header.forEach((lines, index) =>
          tags.element('TH', () => drawLines(lines, starts[index]! + cellPadding.x, y + 4))
        )
      )
      y += height
    }

    keep(60)
    tags.element('Table', () => {
      drawHeader()
      rows.forEach(drawRow)
    })

    function drawRow(cells: Cell[]): void {
      let rest = alignFirstLines(wrapCells(cells))
      const height = Math.max(...rest.map(heightOf)) + 2 * cellPadding.y
      const fullPage = page.bottom - page.top - 30
      if (room() < height && (height <= fullPage || room() < 60)) {
        newPage()
        drawHeader()
      }
      for (let isFirst = true; rest.some((lines) => lines.length > 0); isFirst = false) {
        if (!isFirst) {
          newPage()
          drawHeader()
        }
        const parts = rest.map((lines) => takeLines(lines, room() - 2 * cellPadding.y))
        const isMarked = isFirst
        tags.element('TR', () =>
          parts.forEach(({ taken }, index) => {
            const { mark } = cells[index]!
            const x = starts[index]! + cellPadding.x
            if (mark && isMarked) tags.artifact(() => drawMark(doc, mark, x, y + cellPadding.y + 1, markSize))
            tags.element('TD', () => drawLines(taken, x + (mark ? markSpace : 0), y + cellPadding.y))
          })
        )
        y += Math.max(...parts.map(({ taken }) => heightOf(taken))) + 2 * cellPadding.y
        rule(y)
        rest = parts.map(({ left }) => left)
      }
    }
  }

  /** A coloured block with a shape, for important notices. It is split between lines if longer than a page. */
  function callout(tone: Tone, spans: Span[], { ink, soft }: { ink: string; soft: string }): void {
    const inset = 10
    const textX = page.left + inset + 26
    let lines = wrapText(fonts, spans, page.right - inset - textX)
    if (room() < heightOf(lines) + 2 * inset && heightOf(lines) + 2 * inset <= page.bottom - page.top) newPage()
    while (lines.length > 0) {
      if (room() < 60) newPage()
      const { taken, left } = takeLines(lines, room() - 2 * inset)
      const height = heightOf(taken) + 2 * inset
      tags.artifact(() => {
        doc.roundedRect(page.left, y, contentWidth, height, 6).fill(soft)
        doc.rect(page.left, y + 6, 3, height - 12).fill(ink)
        drawMark(doc, tone, page.left + inset, y + inset, 18)
      })
      drawLines(taken, textX, y + inset)
      y += height
      lines = left
      if (lines.length > 0) newPage()
    }
    y += 8
  }

  return {
    tags,
    newPage,
    keep,
    room,
    line,
    paragraph,
    markedParagraph,
    widthOf,
    heading,
    /** The headings so far, each with the number of its page. */
    sections: () => sections,
    pageNumber,
    rule,
    table,
    callout,
    drawLines,
    wrap: (spans: Span[], width: number): Line[] => wrapText(fonts, spans, width),
    y: () => y,
    moveTo: (position: number): void => {
      y = position
    }
  }
}

/** Gives the first lines of a row the same height, so that texts of different sizes share a baseline. */
function alignFirstLines(cells: Line[][]): Line[][] {
  const height = Math.max(...cells.map((lines) => lines[0]?.height ?? 0))
  return cells.map(([first, ...others]) => (first ? [{ ...first, height }, ...others] : []))
}

/** As many lines as fit, but at least one, so that the rest gets shorter. */
function takeLines(lines: Line[], height: number): { taken: Line[]; left: Line[] } {
  let used = 0
  let count = 0
  while (count < lines.length && (count === 0 || used + lines[count]!.height <= height)) used += lines[count++]!.height
  return { taken: lines.slice(0, count), left: lines.slice(count) }
}
