import bidiFactory from 'bidi-js'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { unpackWoff } from './woff.ts'

const bidi = bidiFactory()

export const weights = [400, 600, 700] as const
export type Weight = (typeof weights)[number]

/** The font is split by script; a text is drawn with the first part that has its characters. */
const partsOfInter = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese', 'greek-ext', 'cyrillic-ext'] as const
/** Of another family, as Inter has none of them. The first two are written from right to left. */
const otherScripts = ['arabic', 'hebrew', 'thai', 'devanagari'] as const
const isOther = (script: string): boolean => (otherScripts as readonly string[]).includes(script)
/** Chinese, Japanese and Korean need 10 MB each: their glyphs come from a font of the system. */
const ofSystem = 'system'
const scripts = [...partsOfInter, ...otherScripts, ofSystem] as const

interface Glyphs {
  unitsPerEm: number
  hasGlyphForCodePoint(codePoint: number): boolean
  layout(text: string, features: typeof fontFeatures): { advanceWidth: number }
}

interface FontHost {
  registerFont(name: string, source: Buffer | string, family?: string): unknown
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

/** Where systems have a font with Chinese and Japanese, and its name within a collection. */
const systemFonts: readonly (readonly [path: string, family?: string])[] = [
  ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 'NotoSansCJKsc-Regular'],
  ['/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc', 'NotoSansCJKsc-Regular'],
  ['/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc', 'NotoSansCJKsc-Regular'],
  ['/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf'],
  ['/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc', 'WenQuanYiZenHei'],
  ['/System/Library/Fonts/Supplemental/Arial Unicode.ttf'],
  ['/Library/Fonts/Arial Unicode.ttf'],
  ['C:\\Windows\\Fonts\\msyh.ttc', 'MicrosoftYaHei'],
  ['C:\\Windows\\Fonts\\simhei.ttf'],
  ['C:\\Windows\\Fonts\\msgothic.ttc', 'MS-Gothic']
]

/** Unpacked fonts by path: the files do not change while the application runs. */
const unpacked = new Map<string, Buffer>()

/** One unpacked font. Throws AppError UNREADABLE when its file is missing or damaged. */
export function readFont(folder: string, script: string, weight: Weight): Buffer {
  const path = isOther(script)
    ? join(
        dirname(createRequire(import.meta.url).resolve(`@fontsource/noto-sans-${script}/package.json`)),
        'files',
        `noto-sans-${script}-${script}-${weight}-normal.woff`
      )
    : join(folder, `inter-${script}-${weight}-normal.woff`)
  try {
    const font = unpacked.get(path) ?? unpackWoff(readFileSync(path))
    unpacked.set(path, font)
    return font
  } catch (cause) {
    throw new AppError('UNREADABLE', message('report.fontDamaged'), { cause })
  }
}

/**
 * The report's fonts; parts for other scripts are read only if a text needs them. `chosenFont`: a font file for
 * characters that no other has.
 */
export function openFonts(doc: FontHost, folder: string, chosenFont?: string) {
  const opened = new Map<string, Glyphs | undefined>()
  const widths = new Map<string, number>()
  const missing = new Set<string>()

  function open(script: string, weight: Weight): Glyphs | undefined {
    const name = fontName(script, weight)
    if (opened.has(name)) return opened.get(name)
    const font = script === ofSystem ? openSystemFont(name) : register(name, readFont(folder, script, weight))
    opened.set(name, font)
    return font
  }

  function register(name: string, source: Buffer | string, family?: string): Glyphs {
    doc.registerFont(name, source, family)
    doc.font(name)
    // PDFKit stores the parsed font in a private field and has no public way to ask for a character.
    return (doc as unknown as { _font: { font: Glyphs } })._font.font
  }

  function openSystemFont(name: string): Glyphs | undefined {
    for (const [path, family] of chosenFont === undefined ? systemFonts : [[chosenFont] as const]) {
      if (!existsSync(path)) continue
      try {
        return register(name, path, family)
      } catch {
        // A font in another form than expected: the next one.
      }
    }
    return undefined
  }

  function findScript(codePoint: number, weight: Weight): string | undefined {
    if (codePoint >= 0x20 && codePoint < 0x7f) return scripts[0]
    return scripts.find((script) => open(script, weight)?.hasGlyphForCodePoint(codePoint))
  }

  /** The runs of a text from left to right. */
  function split(text: string, weight: Weight): Run[] {
    const drawn = Array.from(text, (character): DrawnCharacter => {
      const script = findScript(character.codePointAt(0)!, weight)
      if (script === undefined) missing.add(character)
      return { font: fontName(script ?? scripts[0], weight), text: script === undefined ? '?' : character, turned: '' }
    })
    const runs: DrawnCharacter[] = []
    for (const one of rightToLeft.test(text) ? inVisualOrder(drawn) : drawn) {
      const last = runs.at(-1)
      if (last?.font !== one.font || last.turned !== one.turned) runs.push({ ...one })
      // A font of such a script turns its letters around itself, once it has joined them.
      else last.text = one.turned ? one.text + last.text : last.text + one.text
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
          const glyphs = open(run.font.split(' ')[0]!, weight)!
          width += glyphs.layout(run.text, fontFeatures).advanceWidth / glyphs.unitsPerEm
        }
        widths.set(key, width)
      }
      return width * size
    },
    /** Characters that no font has; question marks stand for them. */
    missing: (): string[] => [...missing]
  }
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

interface DrawnCharacter extends Run {
  /** The font itself turns these around. */
  turned: '' | 'letters' | 'digits'
}

/** By the bidirectional algorithm of Unicode; a text begins at the side of its first letter. */
function inVisualOrder(drawn: readonly DrawnCharacter[]): DrawnCharacter[] {
  const text = drawn.map((one) => one.text).join('')
  const embedding = bidi.getEmbeddingLevels(text, 'auto')
  const charactersAt = new Map<number, DrawnCharacter>()
  let start = 0
  for (const one of drawn) {
    charactersAt.set(start, one)
    start += one.text.length
  }
  return bidi.getReorderedIndices(text, embedding).flatMap((at) => {
    const one = charactersAt.get(at)
    if (!one) return []
    const isOfText = (embedding.levels[at] ?? 0) % 2 === 1
    if (/^(arabic|hebrew) /.test(one.font)) return [{ ...one, turned: isOfText ? 'letters' : 'digits' }]
    return [isOfText ? { ...one, text: bidi.getMirroredCharacter(one.text) ?? one.text } : one]
  })
}

function fontName(script: string, weight: Weight): string {
  return `${script} ${weight}`
}

/** Printable text: composed accents, no control or direction characters, missing signs spelled out. */
export function toPrintable(text: string): string {
  return (
    text
      .normalize('NFC')
      .replace(/\r\n?/g, '\n')
      .replace(/\t/g, ' ')
      .replace(/[\u2028\u2029]/g, '\n')
      // In some scripts two of the invisible characters say how letters are joined.
      .replace(/(?<![\u0600-\u06ff\u0900-\u097f])[\u200c\u200d]|[^\P{C}\n\u200c\u200d]/gu, '')
      .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
      .replace(/[≥≤→←≠≈✓✔]/g, (sign) => spelled[sign]!)
  )
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
