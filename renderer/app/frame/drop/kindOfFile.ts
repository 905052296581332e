import { isPicture } from '../../../../preload/base/photos/isPicture.ts'
import type { DropKind } from '../../../base/shell/drops.ts'

const headBytes = 4_096
/** The list of names of a ZIP archive is at its end. */
const tailBytes = 70_000
/** Larger texts are none of those that Fitter reads. */
const mostTextBytes = 8_000_000
const mostLinesAbove = 20

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer())
}

function begins(bytes: Uint8Array, ...with_: readonly number[]): boolean {
  return with_.every((byte, n) => bytes[n] === byte)
}

async function kindOfJson(file: Blob): Promise<DropKind> {
  if (file.size > mostTextBytes) return 'unknown'
  try {
    const value = JSON.parse(await file.text()) as unknown
    if (Array.isArray(value))
      return value.length > 0 && value.every((one) => typeof one === 'object' && one !== null) ? 'table' : 'unknown'
    const { fitter, steps, id } = value as Record<string, unknown>
    if (fitter === 'team') return 'invitation'
    return Array.isArray(steps) && typeof id === 'string' ? 'checklist' : 'unknown'
  } catch {
    // Cut off, or no JSON at all.
    return 'unknown'
  }
}

/** What a file is. Its content decides: a name says nothing about a file from elsewhere. */
export async function kindOfFile(file: Blob): Promise<DropKind> {
  const head = await bytesOf(file.slice(0, headBytes))
  if (begins(head, 0x50, 0x4b, 0x03, 0x04)) {
    const tail = new TextDecoder('latin1').decode(await file.slice(-tailBytes).arrayBuffer())
    return tail.includes('manifest.json') ? 'bundle' : tail.includes('xl/workbook.xml') ? 'table' : 'unknown'
  }
  if (isPicture(head)) return 'photo'
  const utf16 = begins(head, 0xff, 0xfe) ? 'utf-16le' : begins(head, 0xfe, 0xff) ? 'utf-16be' : undefined
  if (head.length === 0 || (head.includes(0) && utf16 === undefined)) return 'unknown'
  const text = new TextDecoder(utf16).decode(head).trimStart()
  if (/^\{[^\n]*"fitter":\s*"handover"/.test(text)) return 'handover'
  if (text.startsWith('{') || text.startsWith('[')) return kindOfJson(file)
  if (file.size > mostTextBytes) return 'unknown'
  // A title may stand above the names of the columns.
  const lines = text.split(/\r\n|\n|\r/, mostLinesAbove)
  return lines.some((line, index) =>
    [';', '\t', ','].some((one) => line.includes(one) && lines[index + 1]?.includes(one))
  )
    ? 'table'
    : 'unknown'
}
