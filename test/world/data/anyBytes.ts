import { createTexts } from '../../../main/base/messages/texts.ts'
import type { ReportVerdict } from '../../../main/job/reports/checkReport.ts'
import { makeSealPage } from '../../../main/job/reports/sealPage.ts'
import { verifyJsonReport } from '../../../main/job/reports/verify.ts'
import { hashAgain, makeOriginals, own, write, type ForgedDocument, type Originals } from './forgeries.ts'

type Choose = (n: number) => number

/** The same row of numbers for the same seed. */
export function chooser(seed: number): Choose {
  let state = seed >>> 0
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

export interface AnyBytesResult {
  seed: number
  tried: number
  verdicts: Record<ReportVerdict, number>
  /** What got no answer, with the error. */
  unanswered: string[]
}

/**
 * Files of any bytes: broken reports and pages, reports with any values in any place and hashes that fit, and nothing
 * of the kind.
 */
export async function proveAnyBytes(runs: number, seed: number): Promise<AnyBytesResult> {
  const choose = chooser(seed)
  const originals = await makeOriginals()
  const pages = [originals.whole, originals.elsewhere].map((text) =>
    makeSealPage(text, createTexts({ language: 'en', timeZone: 'UTC' }), false)
  )
  const verdicts: Record<ReportVerdict, number> = {
    knownKey: 0,
    unknownKey: 0,
    hashesOnly: 0,
    notSealed: 0,
    changed: 0
  }
  const unanswered: string[] = []
  for (let tried = 0; tried < runs; tried++) {
    const { file, story } = makeFile(originals, pages, choose)
    try {
      verdicts[verifyJsonReport(file, { knownKeys: [own.publicKey] }).verdict] += 1
    } catch (error) {
      unanswered.push(`${story}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
  }
  return { seed, tried: runs, verdicts, unanswered }
}

function makeFile(
  originals: Originals,
  pages: readonly string[],
  choose: Choose
): { file: string | Uint8Array; story: string } {
  const names = Object.keys(originals) as (keyof Originals)[]
  const name = names[choose(names.length)]!
  const kind = choose(10)
  if (kind === 0) return { file: randomBytes(choose, choose(600)), story: 'random bytes' }
  if (kind === 1) return { file: randomWords(choose), story: 'random words of JSON' }
  if (kind === 2) return { file: breakBytes(Buffer.from(pages[choose(pages.length)]!), choose), story: 'a broken page' }
  if (kind === 3) return { file: pageAround(pages, randomWords(choose)), story: 'a page around words of JSON' }
  if (kind <= 5) return { file: breakBytes(Buffer.from(originals[name]), choose), story: `${name}, broken` }
  if (kind === 6)
    return {
      file: hashAgain(
        breakBytes(Buffer.from(originals[name]), choose)
          .toString('utf8')
          .replace(/ {2}"documentHash"[^]*$/, '')
      ),
      story: `${name}, broken, its hash again`
    }
  const document = JSON.parse(originals[name]) as ForgedDocument
  const changes = Array.from({ length: 1 + choose(4) }, () =>
    changeAnywhere(document as unknown as Record<string, unknown>, choose)
  )
  const text = write(document)
  return { file: kind === 9 ? pageAround(pages, text) : text, story: `${name}, ${changes.join(' and ')}` }
}

function pageAround([page = '']: readonly string[], report: string): string {
  return page.replace(
    /(id="report">\n)[^]*?(<\/script>)/,
    (_whole, start: string, end: string) => `${start}${report}${end}`
  )
}

function randomBytes(choose: Choose, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => choose(256)))
}

const words = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '"documentHash": "',
  '"log"',
  '"job"',
  'null',
  'true',
  '-0',
  '1e999',
  '1e-999',
  '0.1',
  '"__proto__"',
  '"constructor"',
  '\n',
  '\ufeff',
  '=3D',
  '=\n',
  '<!doctype html>',
  '<script type="application/json" id="report">\n',
  '</script>',
  '\ud800'
]

function randomWords(choose: Choose): string {
  if (choose(6) === 0)
    return `${'[{"a":'.repeat(choose(2) * 100_000)}${words[choose(words.length)]!.repeat(choose(1_000))}`
  return Array.from({ length: choose(60) }, () => words[choose(words.length)]).join('')
}

function breakBytes(bytes: Buffer, choose: Choose): Buffer {
  let broken = Buffer.from(bytes)
  for (let times = 1 + choose(3); times > 0; times -= 1) {
    const at = choose(broken.length + 1)
    const [before, after] = [broken.subarray(0, at), broken.subarray(at)]
    const kind = choose(6)
    if (kind === 0) broken = Buffer.concat([before, after.subarray(1 + choose(40))])
    else if (kind === 1) broken = Buffer.concat([before, randomBytes(choose, 1 + choose(8)), after])
    else if (kind === 2) broken = Buffer.concat([before, Buffer.from(words[choose(words.length)]!), after])
    else if (kind === 3)
      broken = Buffer.concat([before, bytes.subarray(choose(bytes.length)).subarray(0, choose(400)), after])
    else if (kind === 4) broken = Buffer.from(before)
    else if (after.length > 0)
      broken = Buffer.concat([before, Buffer.of(after[0]! ^ (1 << choose(8))), after.subarray(1)])
  }
  return broken
}

/** Values that a reader of JSON may stumble over. */
const oddValues: (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1e308,
  () => 0.1,
  () => 2 ** 53,
  () => '',
  () => 'text',
  () => '\u0000',
  () => '\ud800',
  () => '\u202e',
  () => '__proto__',
  () => [],
  () => [[]],
  () => ({}),
  () => JSON.parse('{"__proto__":{"toString":1}}'),
  () => ({ constructor: 1, toString: 2, valueOf: 3, hasOwnProperty: 4 }),
  () => ({ id: 'report.verdict.changed', values: { fingerprint: 1 } }),
  () => ({ id: 'plain.text', values: {} }),
  () => Array.from({ length: 300 }, (_, index) => index),
  () => nested(200),
  () => nested(2_000),
  () => 'A'.repeat(10_000),
  () => ({ length: 1e9 }),
  () => '2026-11-20T15:58:00.000Z',
  () => 'movedAway',
  () => 'sealed',
  () => 'jobCreated',
  () => 'evidence'
]

function nested(depth: number): unknown {
  let value: unknown = 0
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

const oddNames = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  'id',
  'values',
  'data',
  'salt',
  '',
  '0'
]

/** One value somewhere below replaced, removed, added or moved. */
function changeAnywhere(root: Record<string, unknown>, choose: Choose): string {
  let place = root
  let path = ''
  for (;;) {
    const keys = Object.keys(place)
    const key = keys[choose(keys.length)]
    if (key === undefined) break
    const value = place[key]
    if (typeof value === 'object' && value !== null && choose(5) > 0) {
      place = value as Record<string, unknown>
      path += `.${key}`
      continue
    }
    const kind = choose(4)
    if (kind === 0) delete place[key]
    else if (kind === 1) set(place, oddNames[choose(oddNames.length)]!, oddValues[choose(oddValues.length)]!())
    else if (kind === 2) set(place, key, Object.values(root)[choose(Object.values(root).length)])
    else set(place, key, oddValues[choose(oddValues.length)]!())
    return `${path}.${key} ${['removed', 'beside something', 'from elsewhere', 'replaced'][kind]}`
  }
  set(place, oddNames[choose(oddNames.length)]!, oddValues[choose(oddValues.length)]!())
  return `${path} filled`
}

function set(place: object, name: string, value: unknown): void {
  // A list has as many places as its length says.
  if (Array.isArray(place) && !/^\d+$/.test(name)) return
  // Nothing contains itself: JSON could not be written.
  Object.defineProperty(place, name, {
    value: value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown),
    enumerable: true,
    configurable: true,
    writable: true
  })
}
