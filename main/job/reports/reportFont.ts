import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ReportFontState } from '../../../preload/contract/app/reportFont.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { ReportFontStore } from '../../data/store/reportFont.ts'

const endings = ['.ttf', '.otf']

/** The font file that a person chose for characters that Fitter's own fonts do not contain. It is read where it is. */
export function createReportFont(store: ReportFontStore) {
  return {
    state(): Omit<ReportFontState, 'chosenBy'> {
      const file = store.path()
      if (file === null) return { font: null }
      return {
        font: { name: path.basename(file), problem: existsSync(file) ? null : message('reportFont.notThere') }
      }
    },
    /** Undefined: none was chosen, or it is not there now. */
    path(): string | undefined {
      const file = store.path()
      return file !== null && existsSync(file) ? file : undefined
    },
    /** @throws AppError REFUSED for a file that is no font */
    async choose(file: string): Promise<void> {
      if (!path.isAbsolute(file)) throw new AppError('REFUSED', message('reportFont.wholePath'))
      if (!endings.includes(path.extname(file).toLowerCase()))
        throw new AppError('REFUSED', message('reportFont.notFont'))
      if (!existsSync(file)) throw new AppError('REFUSED', message('reportFont.notThere'))
      if (!(await canDraw(file))) throw new AppError('REFUSED', message('reportFont.notFont'))
      store.keep(file)
    },
    forget: (): void => store.forget()
  }
}
export type ReportFont = ReturnType<typeof createReportFont>

/** By the library that draws the report, which is loaded only here. */
async function canDraw(file: string): Promise<boolean> {
  const { default: PDFDocument } = await import('pdfkit')
  try {
    const doc = new PDFDocument({ font: null as unknown as string })
    doc.registerFont('chosen', file)
    doc.font('chosen').widthOfString('A')
    return true
  } catch {
    // Whatever the library says of it: it is no font that can be drawn.
    return false
  }
}
