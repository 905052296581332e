import { z } from 'zod'
import { defineCalls, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

const reportFontState = z.object({
  /**
   * The font file for characters that Fitter's own fonts do not contain; null: one of the system. `problem`: why it is
   * not used.
   */
  font: z.object({ name: z.string(), problem: messageSchema.nullable() }).nullable(),
  /** dialog: the system asks for the file. path: a person types its path. */
  chosenBy: z.enum(['dialog', 'path'])
})
export type ReportFontState = z.infer<typeof reportFontState>

export const reportFontCalls = defineCalls({
  'reportFont.state': { input: nothing, output: reportFontState },
  /** Opens the system's dialog in the desktop window; the page never sees a path. */
  'reportFont.pickFile': { input: nothing, output: reportFontState },
  /** A typed path, for front ends without a dialog. It must be a TrueType or OpenType font on this computer. */
  'reportFont.chooseFile': {
    input: z.strictObject({ path: z.string().trim().min(1).max(1_000) }),
    output: reportFontState
  },
  /** The file itself is not removed. */
  'reportFont.forget': { input: nothing, output: reportFontState }
})
