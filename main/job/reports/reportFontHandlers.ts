import type { ReportFontState } from '../../../preload/contract/app/reportFont.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { HandlersOf } from '../../../preload/contract/index.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { ReportFont } from './reportFont.ts'

/** The system's dialog for a font file, if the front end has one; undefined if the person chose no file. */
export type PickFontFile = () => Promise<string | undefined>

/** The calls about the font of reports. If there is a dialog, a path from the page is never used. */
export function createReportFontHandlers(font: ReportFont, pick: PickFontFile | undefined): HandlersOf<'reportFont'> {
  const state = (): ReportFontState => ({ ...font.state(), chosenBy: pick ? 'dialog' : 'path' })
  return {
    'reportFont.state': state,
    'reportFont.pickFile': async () => {
      if (!pick) throw new AppError('REFUSED', message('reportFont.noDialog'))
      const path = await pick()
      if (path !== undefined) await font.choose(path)
      return state()
    },
    'reportFont.chooseFile': async ({ path }) => {
      if (pick) throw new AppError('REFUSED', message('reportFont.onlyDialog'))
      await font.choose(path)
      return state()
    },
    'reportFont.forget': () => {
      font.forget()
      return state()
    }
  }
}
