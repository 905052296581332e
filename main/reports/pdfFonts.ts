import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { unpackWoff } from './woff.ts'

export const weights = [400, 600, 700] as const
export type Weight = (typeof weights)[number]

/** The font is split by script; a text is drawn with the first part that has its characters. */
const scripts = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese', 'greek-ext', 'cyrillic-ext'] as const

interface Glyphs {
  unitsPerEm: number
  hasGlyphForCodePoint(codePoint: number): boolean
  layout(text: string, features: typeof fontFeatures): { advanceWidth: number }
}

interface FontHost {
  registerFont(name: string, source: Buffer): unknown
  font(name: string): unknown
}

/** No contextual forms: they change `->` and `0x12`. (Tabular figures would split identifiers at hyphens.) */
export const fontFeatures = { calt: false }

export interface Run {
  font: string
  text: string
}

export type Fonts = ReturnType<typeof openFonts>

/** Folder of Inter's files, relative to this file: from source, installed or packed. */
export function findFontFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@fontsource/inter/package.json')), 'files')
}

/** Unpacked fonts by path: the files do not change while the application runs. */
const unpacked = new Map<string, Buffer>()

/** One unpacked font. Throws AppError UNREADABLE when its file is missing or damaged. */
export function readFont(folder: string, script: string, weight: Weight): Buffer {
  const path = join(folder, `inter-${script}-${weight}-normal.woff`)
  try {
    const font = unpacked.get(path) ?? unpackWoff(readFileSync(path))
    unpacked.set(path, font)
    return font
  } catch (cause) {
    throw new AppError('UNREADABLE', message('report.fontDamaged'), { cause })
  }
}

/** The report's fonts; parts for other scripts are read only if a text needs them. */
export function openFonts(doc: FontHost, folder: string) {
  const opened = new Map<string, Glyphs>()
  const widths = new Map<string, number>()
  let isMissing = false

  function open(script: string, weight: Weight): Glyphs {
    const name = fontName(script, weight)
    const known = opened.get(name)
    if (known) return known
    doc.registerFont(name, readFont(folder, script, weight))
    doc.font(name)
    // PDFKit stores the parsed font in a private field and has no public way to ask for a character.
    const { font } = (doc as unknown as { _font: { font: Glyphs } })._font
    opened.set(name, font)
    return font
  }

  function findScript(codePoint: number, weight: Weight): string | undefined {
    if (codePoint >= 0x20 && codePoint < 0x7f) return scripts[0]
    return scripts.find((script) => open(script, weight).hasGlyphForCodePoint(codePoint))
  }

  function split(text: string, weight: Weight): Run[] {
    const runs: Run[] = []
    for (const character of text) {
      const script = findScript(character.codePointAt(0)!, weight)
      if (script === undefined) isMissing = true
      const font = fontName(script ?? scripts[0], weight)
      const last = runs.at(-1)
      const drawn = script === undefined ? '?' : character
      if (last?.font === font) last.text += drawn
      else runs.push({ font, text: drawn })
    }
    return runs
  }

  return {
    split,
    /** Width in points. */
    measure(text: string, weight: Weight, size: number): number {
      const key = `${weight} ${text}`
      let width = widths.get(key)
      if (width === undefined) {
        width = 0
        for (const run of split(text, weight)) {
          const glyphs = open(run.font.split(' ')[0]!, weight)
          width += glyphs.layout(run.text, fontFeatures).advanceWidth / glyphs.unitsPerEm
        }
        widths.set(key, width)
      }
      return width * size
    },
    /** True when a character that no font has was replaced by a question mark. */
    hasMissing: (): boolean => isMissing
  }
}

function fontName(script: string, weight: Weight): string {
  return `${script} ${weight}`
}

/** Printable text: composed accents, no control or direction characters, missing signs spelled out. */
export function toPrintable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(/[^\P{C}\n]/gu, '')
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(/[≥≤→←≠≈✓✔]/g, (sign) => spelled[sign]!)
}

const spelled: Record<string, string> = {
  '≥': '>=',
  '≤': '<=',
  '→': '->',
  '←': '<-',
  '≠': '!=',
  '≈': '~',
  '✓': 'yes',
  '✔': 'yes'
}
