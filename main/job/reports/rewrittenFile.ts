import { message, type Message } from '../../../preload/contract/messages.ts'
import { decodeUtf8, withoutMark } from '../../../preload/base/messages/utf8.ts'

/*
 * What programs between a sender and a reader do to a file without anybody's wish: an editor, a mail gateway, a
 * download. Each is undone here, in the order in which it was done last; whether the result is the file as it was
 * written, its own hash says.
 */

type Rewriting = 'quotedPrintable' | 'base64' | 'charset' | 'byteOrderMark' | 'lineEnds' | 'whiteSpace'

export interface UndoneFile {
  text: string
  /** One sentence for each thing that was undone. */
  findings: Message[]
}

/** The text as it was before it was rewritten; undefined when that does not make it whole, or nothing was rewritten. */
export function undoRewriting(bytes: Uint8Array, isWhole: (text: string) => boolean): UndoneFile | undefined {
  const done = new Set<Rewriting>()
  let text = readText(bytes, done)
  // A gateway may wrap what another one has wrapped already.
  for (let times = 0; times < 3; times++) {
    const inside = unwrap(text, done)
    if (inside === undefined) break
    text = readText(inside, done)
  }
  for (const candidate of [text, fromOtherCharset(text)]) {
    if (candidate === undefined) continue
    const steps = new Set(done)
    if (candidate !== text) steps.add('charset')
    const whole = undoText(candidate, steps, isWhole)
    if (whole !== undefined && steps.size > 0)
      return {
        text: whole,
        findings: [
          ...[...steps].map((name) => message(`report.check.rewritten.${name}`)),
          message('report.check.askOriginal')
        ]
      }
  }
  return undefined
}

function undoText(given: string, done: Set<Rewriting>, isWhole: (text: string) => boolean): string | undefined {
  let text = given
  if (isWhole(text)) return text
  if (withoutMark(text) !== text) {
    text = text.slice(1)
    done.add('byteOrderMark')
  }
  if (text.includes('\r')) {
    text = text.replace(/\r\n?/g, '\n')
    done.add('lineEnds')
  }
  if (isWhole(text)) return text
  done.add('whiteSpace')
  // No line of a report ends with white space, and it has no empty lines; a page has some.
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
  return [text.trim(), lines.join('\n'), lines.filter((line) => line !== '').join('\n')]
    .map((one) => `${one}\n`)
    .find(isWhole)
}

function readText(bytes: Uint8Array, done: Set<Rewriting>): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)
  if (mark === 0xfffe || mark === 0xfeff) {
    done.add('charset')
    return new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes)
  }
  const text = decodeUtf8(bytes)
  if (text !== undefined) return text
  done.add('charset')
  return new TextDecoder('windows-1252').decode(bytes)
}

/** The bytes inside of a text that a mail program wrapped. */
function unwrap(text: string, done: Set<Rewriting>): Uint8Array | undefined {
  if (/^\s*[A-Za-z0-9+/]{40}/.test(text) && !/[^A-Za-z0-9+/=\s]/.test(text)) {
    done.add('base64')
    return Buffer.from(text, 'base64')
  }
  // Every report has a key or a picture in base64, which ends with this sign, and lines that are too long.
  if (!/=(?:3D|\r?\n)/i.test(text) || text.includes('="')) return undefined
  done.add('quotedPrintable')
  return readQuotedPrintable(text)
}

function readQuotedPrintable(text: string): Uint8Array {
  const joined = text.replace(/[ \t]+(?=\r?\n)/g, '').replace(/=\r?\n/g, '')
  return Buffer.concat(
    joined
      .split(/((?:=[0-9A-Fa-f]{2})+)/)
      .map((part, index) =>
        index % 2 === 1 ? Buffer.from(part.replaceAll('=', ''), 'hex') : Buffer.from(part, 'utf8')
      )
  )
}

/** The letters of bytes 80 to 9F in windows-1252, which a program showed one by one instead of as UTF-8. */
const lettersOf1252 = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 128 }, (_, index) => index + 128))].map(
    (letter, index) => [letter, index + 128]
  )
)

function fromOtherCharset(text: string): string | undefined {
  if (!/[\u0080-\uffff]/.test(text)) return undefined
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const byte = code < 0x80 ? code : (lettersOf1252.get(text.charAt(index)) ?? (code <= 0xff ? code : undefined))
    if (byte === undefined) return undefined
    bytes[index] = byte
  }
  return decodeUtf8(bytes)
}
