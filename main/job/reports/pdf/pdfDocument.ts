import { findFontFolder, openFonts } from './pdfFonts.ts'
import { createSheet } from './pdfSheet.ts'

export interface DocumentFacts {
  language: string
  title: string
  appVersion: string
  /** ISO 8601 UTC. */
  generatedAt: string
  author?: string
  subject?: string
  /** Folder of Inter's `inter-<script>-<weight>-normal.woff` files; default: that of the installed font package. */
  fontFolder?: string | undefined
  /** A font file for characters that Fitter's fonts do not contain, instead of a font of the system. */
  chosenFont?: string | undefined
}

/**
 * A document of A4 pages for long archiving (PDF/A-2a): everything that a reader needs is in the file, with its
 * structure for screen readers.
 */
export async function openDocument({
  language,
  title,
  appVersion,
  generatedAt,
  author,
  subject,
  fontFolder = findFontFolder(),
  chosenFont
}: DocumentFacts) {
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    tagged: true,
    subset: 'PDF/A-2a',
    // None: PDFKit would otherwise embed its own Helvetica, and reopen one of ours at every use.
    font: null as unknown as string,
    info: {
      Title: title,
      ...(author === undefined ? {} : { Author: author }),
      ...(subject === undefined ? {} : { Subject: subject }),
      Creator: `Fitter ${appVersion}`,
      CreationDate: new Date(Date.parse(generatedAt) || 0)
    }
  })
  const chunks: Buffer[] = []
  const finished = new Promise<Uint8Array>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    doc.on('error', reject)
  })
  const fonts = openFonts(doc, fontFolder, chosenFont)
  return {
    doc,
    sheet: createSheet(doc, fonts),
    /** Characters that no font has; question marks stand for them. */
    missingCharacters: fonts.missing,
    /** Draws on each page, when their number is known. Screen readers skip it. */
    frameEachPage(draw: (index: number, count: number) => void): void {
      const { start, count } = doc.bufferedPageRange()
      for (let index = 0; index < count; index++) {
        doc.switchToPage(start + index)
        draw(index, count)
      }
    },
    /** Ends the document and returns the file. */
    finish(): Promise<Uint8Array> {
      doc.end()
      return finished
    }
  }
}
