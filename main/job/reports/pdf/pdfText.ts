import { toPrintable, type Fonts, type Weight } from './pdfFonts.ts'

export interface TextStyle {
  size: number
  weight: Weight
  color: string
}

export interface Span {
  text: string
  style: TextStyle
}

/** One line to draw: pieces from left to right. */
export interface Line {
  pieces: { text: string; style: TextStyle; x: number }[]
  height: number
}

const lineFactor = 1.38
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Breaks text into lines: at spaces, after joining characters, and if needed anywhere. No line is wider than `width`.
 */
export function wrapText(fonts: Fonts, spans: Span[], width: number): Line[] {
  const lines: Line[] = []
  let line: Line = { pieces: [], height: 0 }
  let x = 0
  const finish = (style: TextStyle): void => {
    lines.push({ ...line, height: Math.max(line.height, style.size * lineFactor) })
    line = { pieces: [], height: 0 }
    x = 0
  }
  /** A pair of letters may be wider together than apart, which adds up in a narrow line. */
  const joinOf = (text: string, style: TextStyle): number => {
    const last = line.pieces.at(-1)
    if (last?.style !== style || last.text.endsWith(' ') || text.startsWith(' ')) return 0
    const [before, after] = [last.text.slice(-1), text.slice(0, 1)]
    const measure = (one: string): number => fonts.measure(one, style.weight, style.size)
    return measure(before + after) - measure(before) - measure(after)
  }
  const put = (text: string, style: TextStyle): void => {
    const advance = fonts.measure(text, style.weight, style.size) + joinOf(text, style)
    const last = line.pieces.at(-1)
    if (last?.style === style) last.text += text
    else line.pieces.push({ text, style, x })
    line.height = Math.max(line.height, style.size * lineFactor)
    x += advance
  }
  const isTooWide = (text: string, style: TextStyle): boolean =>
    x + fonts.measure(text, style.weight, style.size) + joinOf(text, style) > width

  for (const { text, style } of spans) {
    for (const [index, paragraph] of toPrintable(text).split('\n').entries()) {
      if (index > 0) finish(style)
      for (const piece of breakable(paragraph)) {
        if (x > 0 && isTooWide(piece.trimEnd(), style)) finish(style)
        if (x === 0 && isTooWide(piece.trimEnd(), style)) {
          for (const { segment } of graphemes.segment(piece)) {
            if (x > 0 && isTooWide(segment.trimEnd(), style)) finish(style)
            put(segment, style)
          }
        } else if (x > 0 || piece.trim() !== '') {
          put(piece, style)
        }
      }
    }
  }
  const lastStyle = spans.at(-1)?.style
  if (lastStyle && (line.pieces.length > 0 || lines.length === 0)) finish(lastStyle)
  return lines
}

/** A number stays with its unit: a line never starts with a lone "s" or "mV". */
const wordsOf = /(?:\d[\d.,]* (?=(?:s|ms|min|h|m|km|ft|mi|km\/h|mph|dBm|mV|V|A|%|°)(?![\p{L}\d\/])))?[^ ]+ *| +/gu

/** Pieces after which a line may break: words with the spaces after them, and the parts of long words. */
function breakable(text: string): string[] {
  const words = text.match(wordsOf) ?? []
  return words.flatMap((word) => (word.length > 24 ? word.split(/(?<=[/\-_.,:;@=&?])(?=[^/\-_.,:;@=&? ])/) : [word]))
}

export function heightOf(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.height, 0)
}
