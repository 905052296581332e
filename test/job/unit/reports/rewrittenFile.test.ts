import { beforeAll, describe, expect, it } from 'vitest'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { makeJsonReport } from '../../../../main/job/reports/json.ts'
import { makeSealPage } from '../../../../main/job/reports/sealPage.ts'
import { verifyJsonReport } from '../../../../main/job/reports/verify.ts'
import { own, replaceText } from '../../../world/data/forgeries.ts'
import { makeSealedJob } from '../../../world/data/sealedJob.ts'

const texts = createTexts({ language: 'es', timeZone: 'UTC' })
let report: string
let page: string
beforeAll(async () => {
  report = await makeJsonReport({
    ...(await makeSealedJob(own.sign)),
    generatedAt: '2026-11-20T17:00:00.000Z',
    appVersion: '0.1.0',
    texts,
    isTraining: false,
    sign: own.sign
  })
  page = makeSealPage(report, texts, false)
})

const windows1252 = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('“', '\u0093')
      .replaceAll('”', '\u0094')
      .replaceAll('’', '\u0092')
      .replaceAll('–', '\u0096')
      .replaceAll('…', '\u0085'),
    'latin1'
  )
const quotedPrintable = (text: string, end = '\r\n'): string =>
  Array.from(Buffer.from(text), (byte) =>
    byte === 10
      ? '\n'
      : byte === 61 || byte > 126
        ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte)
  )
    .join('')
    .split('\n')
    .map((line) => (line.match(/(?:=[0-9A-F]{2}|[^=]){1,24}/g) ?? ['']).join('=\n'))
    .join('\n')
    .replaceAll('\n', end)
const base64 = (text: string, end = '\r\n'): string =>
  (
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join(end) + end

const rewritings: [name: string, rewrite: (text: string) => string | Uint8Array, named: string[]][] = [
  ['a byte order mark', (text) => `\ufeff${text}`, ['byteOrderMark']],
  ['line ends of Windows', (text) => text.replaceAll('\n', '\r\n'), ['lineEnds']],
  ['line ends of an old Mac', (text) => text.replaceAll('\n', '\r'), ['lineEnds']],
  ['both, as Notepad saves', (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`, ['byteOrderMark', 'lineEnds']],
  [
    'UTF-16, as Notepad saves “Unicode”',
    (text) => Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le'),
    ['charset', 'lineEnds']
  ],
  ['quoted-printable', (text) => quotedPrintable(text), ['quotedPrintable', 'lineEnds']],
  ['quoted-printable with LF', (text) => quotedPrintable(text, '\n'), ['quotedPrintable']],
  ['base64 in lines', (text) => base64(text), ['base64']],
  ['base64 of quoted-printable', (text) => base64(quotedPrintable(text)), ['base64', 'quotedPrintable', 'lineEnds']],
  [
    'UTF-8 read as windows-1252',
    (text) => Buffer.from(new TextDecoder('windows-1252').decode(Buffer.from(text))),
    ['charset']
  ],
  ['no last line end', (text) => text.trimEnd(), ['whiteSpace']],
  ['more last line ends', (text) => `${text}\n\n`, ['whiteSpace']],
  ['spaces at the ends of lines', (text) => text.replaceAll(',\n', ', \n'), ['whiteSpace']],
  ['an empty line at the start', (text) => `\n${text}`, ['whiteSpace']]
]

const named = (file: string | Uint8Array): string[] =>
  verifyJsonReport(file, { knownKeys: [own.publicKey] }).findings.map(({ id }) =>
    id.replace('report.check.', '').replace('rewritten.', '')
  )

describe('A report that a program rewrote on its way is called rewritten', () => {
  it.each(rewritings)('%s', (_name, rewrite, names) => {
    expect(verifyJsonReport(rewrite(report), { knownKeys: [own.publicKey] })).toMatchObject({
      ok: false,
      verdict: 'changed',
      seal: { kind: 'signed', isKnown: true }
    })
    expect(named(rewrite(report)).sort()).toEqual([...names, 'askOriginal'].sort())
  })

  it('in windows-1252, which has other bytes for the same letters', () => {
    expect(report).toMatch(/[áéíóúñ]/)
    expect(new TextDecoder('windows-1252').decode(windows1252(report))).toBe(report)
    expect(named(windows1252(report))).toEqual(['charset', 'askOriginal'])
  })

  it.each(rewritings)('the page beside it too: %s', (_name, rewrite, names) => {
    const found = named(rewrite(page))
    for (const name of names) expect(found).toContain(name)
    expect(found).toContain('askOriginal')
  })

  it('in sentences that say what to do', () => {
    const say = createTexts({ language: 'en', timeZone: 'UTC' }).say
    expect(verifyJsonReport(`\ufeff${report}`).findings.map(say)).toEqual([
      'A byte order mark was added at the start of the file, as some editors do.',
      'Ask the sender for the original file in a ZIP archive, which programs on the way do not change.'
    ])
  })
})

it.each(rewritings)('a forged report stays forged when it was rewritten as well: %s', (_name, rewrite) => {
  const forged = replaceText(report, '"value": 11', '"value": 12')
  const found = named(rewrite(forged))
  expect(found).toContain('askOriginal')
  expect(found).toContain('wrongDocumentSignature')
})

it('nothing is called rewritten where a letter is another one', () => {
  for (const [, rewrite] of rewritings) {
    const text = report.replace('Technician One', 'Technician Owe')
    expect(named(rewrite(text))).not.toContain('askOriginal')
  }
})
