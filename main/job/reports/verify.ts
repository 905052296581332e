import { message } from '../../../preload/contract/messages.ts'
import { changed, checkReport, isUnbroken, type ReportCheck, type VerifyOptions } from './checkReport.ts'
import { decodeUtf8 } from '../../../preload/base/messages/utf8.ts'
import { undoRewriting } from './rewrittenFile.ts'
import { openSealPage } from './sealPage.ts'

/**
 * Checks the file of a JSON report, or the page that carries one. Pass the bytes of the file if possible. Any bytes get
 * an answer.
 */
export function verifyJsonReport(file: string | Uint8Array, options: VerifyOptions = {}): ReportCheck {
  try {
    const text = typeof file === 'string' ? file : decodeUtf8(file)
    const check = text === undefined ? changed([message('report.check.notText')]) : checkText(text, options)
    return check.ok ? check : (checkRewritten(file, options) ?? check)
  } catch (error) {
    // A value that is larger than this program can hold.
    if (error instanceof RangeError) return changed([message('report.check.tooDeep')])
    throw error
  }
}

function checkText(text: string, options: VerifyOptions): ReportCheck {
  const page = openSealPage(text)
  const check = checkReport(page?.report ?? text, options)
  return page?.isOurs === false
    ? changed([message('report.check.otherPage'), ...(check.ok ? [] : check.findings)], check.seal)
    : check
}

/** A file that some program rewrote on its way is named as that; what else is wrong with it follows. */
function checkRewritten(file: string | Uint8Array, options: VerifyOptions): ReportCheck | undefined {
  const undone = undoRewriting(typeof file === 'string' ? Buffer.from(file, 'utf8') : file, isWhole)
  if (!undone) return undefined
  const check = checkText(undone.text, options)
  return changed([...undone.findings, ...(check.ok ? [] : check.findings)], check.seal)
}

function isWhole(text: string): boolean {
  const page = openSealPage(text)
  return page ? page.isOurs && isUnbroken(page.report) : isUnbroken(text)
}
