import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job } from '../../../../preload/contract/job/jobs.ts'
import { message, plainMessage } from '../../../../preload/contract/messages.ts'
import type { PdfReportInput } from '../../../../main/job/reports/pdf/pdf.ts'
import { longestTextLength, makePdfReport, openPdfThread } from '../../../../main/job/reports/pdf/pdfThread.ts'
import { findFontFolder, openFonts } from '../../../../main/job/reports/pdf/pdfFonts.ts'
import type { Redact } from '../../../../main/job/reports/redact.ts'
import { stepWord } from '../../../../main/job/reports/stateTexts.ts'
import type { ReaderSettings } from '../../../../preload/base/messages/settings.ts'
import { english, orNothing } from '../../../world/window/english.ts'
import { makeSealedJob, makeSigner } from '../../../world/data/sealedJob.ts'
import { makePassedJob, makeSampleJob, makeTruckJob } from '../../../world/data/sampleJob.ts'

const hasPoppler = ((): boolean => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
})()

/** One for all documents: to start one takes as long as to draw a document. */
const thread = openPdfThread()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-pdf-'))
})
afterAll(async () => {
  await thread.close()
  rmSync(folder, { recursive: true, force: true })
})

let count = 0
const reader: ReaderSettings = { language: 'en', units: 'metric', timeZone: 'UTC' }
const fileNames = { customer: 'fitter-report.pdf', evidence: 'fitter-report-evidence.pdf' }
const input = {
  part: 'evidence' as const,
  fileNames,
  generatedAt: '2026-11-20T09:00:00.000Z',
  appVersion: '0.1.0',
  reader,
  isTraining: false
}
/** Whatever the job has, the customer gets one page. */
async function renderPage(job: Job, more: Parameters<typeof render>[1] = {}): Promise<{ file: string; text: string }> {
  const file = await render(job, { part: 'customer', ...more })
  const pages = textOf(file, '-layout')
    .split('\f')
    .filter((one) => one.trim() !== '')
  expect(pages).toHaveLength(1)
  expectClean(file)
  return { file, text: flat(pages[0]!) }
}
async function render(
  job: Job,
  more: Partial<PdfReportInput & { redact: Redact; onUnprintable: (characters: string[]) => void }> = {}
): Promise<string> {
  const bytes = await thread.make({ job, ...input, ...more })
  const file = join(folder, `${++count}.pdf`)
  writeFileSync(file, bytes)
  return file
}

const flat = (text: string): string => text.replace(/\s+/g, ' ')
const dense = (text: string): string => text.replace(/\s+/g, '')
const textOf = (file: string, ...options: string[]): string =>
  execFileSync('pdftotext', [...options, file, '-'], { encoding: 'utf8', maxBuffer: 100e6 })

interface Word {
  page: number
  left: number
  top: number
  right: number
  bottom: number
  text: string
}

function wordsOf(file: string): Word[] {
  const words: Word[] = []
  let page = 0
  for (const line of textOf(file, '-bbox').split('\n')) {
    if (line.includes('<page ')) page++
    const found = /xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*)<\/word>/.exec(line)
    if (found) {
      const [left, top, right, bottom] = found.slice(1, 5).map(Number) as [number, number, number, number]
      words.push({ page, left, top, right, bottom, text: found[5]! })
    }
  }
  return words
}

/** Every word lies inside the margins, and no two words lie on each other. */
function expectClean(file: string): void {
  const words = wordsOf(file)
  expect(words.length).toBeGreaterThan(20)
  const outside = words.filter((word) => word.left < 47 || word.right > 548.5 || word.top < 25 || word.bottom > 825)
  expect(outside).toEqual([])
  const overlaps: string[] = []
  const pages = Map.groupBy(words, (word) => word.page)
  for (const onPage of pages.values()) {
    onPage.sort((one, other) => one.top - other.top)
    onPage.forEach((one, index) => {
      for (let next = index + 1; next < onPage.length && onPage[next]!.top < one.bottom - 4; next++) {
        const other = onPage[next]!
        if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1.5)
          overlaps.push(`${one.text} on ${other.text}, page ${one.page}`)
      }
    })
  }
  expect(overlaps).toEqual([])
}

function makeLongJob(steps: number): Job {
  return makeSampleJob(
    Array.from({ length: steps }, (_, index) => ({
      id: `s${index}`,
      kind: 'inputs' as const,
      title: `Input ${index + 1} of the door contact`,
      instruction: 'Open the door.',
      state: index % 7 === 3 ? ('waived' as const) : ('pass' as const),
      witness: ['device' as const],
      summary: `IN${index + 1} followed the door, twice.`,
      waiver:
        index % 7 === 3
          ? { reason: `No door ${index + 1}.`, by: 'Technician 7', at: '2026-11-19T08:31:10.000Z' }
          : null,
      seen: [
        {
          witness: 'device' as const,
          what: `IN${index + 1} changed 4 times.`,
          raw: null,
          thresholds: { changesMin: 4 }
        },
        { witness: 'gateway' as const, what: `io_in${index + 1} followed.`, raw: null, thresholds: null }
      ]
    })),
    {
      operations: Array.from({ length: 40 }, (_, index) => ({
        id: `op${index}`,
        kind: 'ibutton.register',
        state: 'done'
      }))
    }
  ).job
}

describe('PDF report', { timeout: 180_000 }, () => {
  it('is a PDF file that carries its own fonts and names itself', async () => {
    const bytes = await makePdfReport({ job: makePassedJob().job, ...input })
    const head = Buffer.from(bytes).toString('latin1')
    expect(head.startsWith('%PDF-1.7')).toBe(true)
    expect(head.trimEnd().endsWith('%%EOF')).toBe(true)
    expect(head).toMatch(/\+Inter-Regular/)
    expect(head).not.toMatch(/Helvetica/)
    expect(bytes.length).toBeLessThan(200_000)
  })

  it('says that a font is missing or damaged in words of a person, not of a file system', async () => {
    const expected = { code: 'UNREADABLE', sentence: { id: 'report.fontDamaged', values: {} } }
    await expect(render(makePassedJob().job, { fontFolder: join(folder, 'nowhere') })).rejects.toMatchObject(expected)
    const whole = readFileSync(join(findFontFolder(), 'inter-latin-400-normal.woff'))
    for (const damaged of [Buffer.from('not a font'), whole.subarray(0, 200), whole.subarray(0, 9000)]) {
      const fontFolder = mkdtempSync(join(folder, 'fonts-'))
      writeFileSync(join(fontFolder, 'inter-latin-400-normal.woff'), damaged)
      await expect(render(makePassedJob().job, { fontFolder })).rejects.toMatchObject(expected)
    }
  })
})

// The tools that read a PDF come with the operating system; without them only what is above can be checked.
describe.runIf(hasPoppler)('text of the PDF report', { timeout: 180_000 }, () => {
  it('names every step with its state, evidence, remedy and witness, every waiver, every operation and the seal', async () => {
    const { job } = makeTruckJob()
    const file = await render(job)
    const text = flat(textOf(file, '-layout'))
    const raw = dense(textOf(file, '-raw'))
    for (const step of job.steps) {
      expect(raw).toContain(dense(english(step.title)))
      if (step.state !== 'waived') expect(raw).toContain(dense(orNothing(step.summary)))
      expect(raw).toContain(dense(orNothing(step.remedy)))
      expect(raw).toContain(dense(english(stepWord(step).word)))
      for (const one of step.evidence) {
        expect(raw).toContain(dense(english(one.what)))
        expect(raw).toContain(one.hash.slice(0, 8))
      }
    }
    expect(text).toContain('Skipped: 1 step not verified')
    expect(raw).toContain(
      dense(
        'Reason: Vehicle stands in the underground workshop; customer accepts the check on the first trip. Añadido por teléfono: «conforme», José Muñoz.'
      )
    )
    expect(raw).toContain(dense('Skipped by Technician 7 on 19 Nov 2026, 08:31:10 UTC.'))
    expect(raw).toContain(
      dense('Limits of Default profile, version 3: satellites min 6; hdop max 1.5; age max seconds 10')
    )
    expect(raw).toContain(dense('distance max 50 m'))
    expect(raw).toContain(dense('Seen before: Device and gateway were 214 m apart.'))
    for (const operation of job.operations) expect(text).toContain(operation.kind)
    expect(text).toContain('Signed off with failed steps')
    expect(text).toContain('Áridos y Hormigones del Segura, S.L.')
    expect(raw).toContain(dense('Camión 12 · 4821 KLM'))
    expect(raw).toContain('356307042441013')
    expect(raw).toContain(job.seal)
    expect(text).toContain('fitter job verify FILE')
    expectClean(file)
  })

  it(
    'names the profile that a piece of evidence was held against, also when it was another than the job has now',
    { tags: ['long'] },
    async () => {
      const { job } = makePassedJob()
      const seen = job.steps[1]!.evidence[0]!
      const held = (profile: string): Job => ({
        ...job,
        steps: [{ ...job.steps[1]!, evidence: [{ ...seen, thresholds: { profile, satellitesMin: 6 } }] }]
      })
      expect(flat(textOf(await render(held('default 3')), '-layout'))).toContain(
        'Limits of Default profile, version 3: satellites min 6'
      )
      expect(flat(textOf(await render(held('strict 1')), '-layout'))).toContain(
        'Limits of profile strict 1: satellites min 6'
      )
    }
  )

  it('says that the team log has another version, when nobody has settled which one counts', async () => {
    const { job } = makePassedJob()
    expect(flat(textOf(await render(job, { isDiverged: true }), '-layout'))).toContain(
      'The team log contains another version of this job.'
    )
    expect(flat(textOf(await render(job), '-layout'))).not.toContain('another version')
  })

  it('prints the last six digits of the IMEI bold', async () => {
    const file = await render(makePassedJob().job)
    const fonts = execFileSync('pdffonts', [file], { encoding: 'utf8' })
    expect(fonts).toMatch(/Inter-Bold/)
    expect(
      fonts
        .split('\n')
        .slice(2)
        .filter(Boolean)
        .every((line) => / yes {1,3}yes {1,3}yes /.test(line))
    ).toBe(true)
  })

  it('never shows a job with a waived step as passed', async () => {
    const { job } = makePassedJob()
    const waived = { ...job, steps: [job.steps[0]!, { ...job.steps[1]!, state: 'waived' as const, waiver: null }] }
    const text = flat(textOf(await render(waived), '-layout'))
    expect(text).toContain('Signed off with skipped steps')
    expect(text).toContain('1 passed, 1 skipped')
    expect(text).toContain('Reason: none was recorded')
    expect(flat(textOf(await render(job), '-layout'))).not.toMatch(/[Ss]kipped/)
  })

  it(
    'numbers its pages and repeats job and device on each, however long the job is',
    { tags: ['long'], timeout: 360_000 },
    async () => {
      const job = makeLongJob(30)
      const file = await render(job)
      const pages = textOf(file, '-layout')
        .split('\f')
        .filter((page) => page.trim() !== '')
      expect(pages.length).toBeGreaterThan(7)
      expect(Number(/Pages:\s+(\d+)/.exec(execFileSync('pdfinfo', [file], { encoding: 'utf8' }))![1])).toBe(
        pages.length
      )
      pages.forEach((page, index) => {
        expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
        if (index > 0) expect(page).toContain(job.id)
        expect(page).toContain(job.device.imei)
      })
      const raw = dense(textOf(file, '-raw'))
      for (const step of job.steps) expect(raw).toContain(dense(english(step.title)))
      expectClean(file)
    }
  )

  it(
    'wraps long texts and breaks long identifiers, so that nothing leaves the page',
    { tags: ['long'], timeout: 360_000 },
    async () => {
      const { job } = makeTruckJob()
      const long = 'Ñandú-y-camión/'.repeat(15)
      const sentence = 'The relay is not in the starter circuit and the cable is worn. '.repeat(100)
      const hard = 'W'.repeat(250)
      const file = await render({
        ...job,
        id: 'J'.repeat(200),
        customer: long,
        technician: hard,
        vehicle: { id: 1e15, name: hard },
        vehicleText: long,
        template: { id: 't', version: 1, name: plainMessage(hard) },
        profile: { id: 'p', version: 1, name: plainMessage(long) },
        device: { imei: '9'.repeat(120), model: long, address: hard },
        operations: [{ id: hard, kind: long, state: hard }],
        steps: [job.steps[0]!, job.steps[4]!].map((step) => ({
          ...step,
          title: plainMessage(long),
          summary: plainMessage(sentence),
          remedy: plainMessage(hard),
          waiver: { reason: sentence, by: hard, at: 'no time at all '.repeat(30) },
          evidence: step.evidence.map((one) => ({
            ...one,
            what: plainMessage(sentence),
            thresholds: { [hard]: long, limitM: 5 }
          }))
        }))
      })
      const raw = dense(textOf(file, '-raw'))
      expect(raw.split('Therelayisnotinthestartercircuit').length - 1).toBeGreaterThan(100 * 8)
      expectClean(file)
    }
  )

  it('prints other European scripts and says so when a character cannot be printed', async () => {
    const { job } = makePassedJob()
    const european = flat(
      textOf(await render({ ...job, customer: 'Łódź Żółć · Ευρώπη · Україна · ≥ 5 → 6' }), '-layout')
    )
    expect(european).toContain('Łódź Żółć · Ευρώπη · Україна · >= 5 -> 6')
    expect(european).not.toContain('question mark')
    const told: string[][] = []
    const other = flat(
      textOf(
        await render(
          { ...job, customer: '\u{13000} 🚚 Acme\u0007\u202e' },
          { onUnprintable: (characters) => void told.push(characters) }
        ),
        '-layout'
      )
    )
    expect(other).toContain('? ? Acme')
    expect(other).toContain('A question mark may stand for a character')
    expect(told).toEqual([['\u{13000}', '🚚']])
  })

  it.each([
    ['Arabic', 'شركة النقل'],
    ['Hebrew', 'משאית לבנה'],
    ['Thai', 'รถบรรทุก'],
    ['Devanagari', 'गाड़ी']
  ])('prints names in %s', async (_, customer) => {
    const told: string[][] = []
    const text = textOf(
      await render({ ...makePassedJob().job, customer }, { onUnprintable: (characters) => void told.push(characters) }),
      '-layout'
    )
    expect(text.normalize('NFC')).toContain(customer.normalize('NFC'))
    expect(told).toEqual([])
  })

  it('draws right-to-left text in its order: numbers and foreign words forwards, brackets mirrored, letters joined', async () => {
    const { default: PDFDocument } = await import('pdfkit')
    const doc = new PDFDocument({ font: null as unknown as string })
    const fonts = openFonts(doc, findFontFolder())
    const drawn = (text: string) => fonts.split(text, 400).map((run) => run.text)
    const { font } = doc as unknown as {
      font(name: string): {
        _font: {
          font: { layout(text: string): { glyphs: { id: number }[] }; glyphForCodePoint(code: number): { id: number } }
        }
      }
    }
    const glyphs = (text: string) =>
      fonts.split(text, 400).flatMap((run) =>
        font
          .call(doc, run.font)
          ._font.font.layout(run.text)
          .glyphs.map(({ id }) => id)
      )
    const glyphsOf = (name: string, text: string) =>
      Array.from(text, (one) => font.call(doc, name)._font.font.glyphForCodePoint(one.codePointAt(0)!).id)
    // A font of these scripts turns a run around itself, so each of them stays as it is read.
    expect(drawn('משאית 12-345')).toEqual(['12-345 ', 'משאית'])
    expect(drawn('סדן (לבן) ABC')).toEqual(['ABC (', 'לבן', ') ', 'סדן'])
    expect(drawn('Fleet שלום, Madrid')).toEqual(['Fleet ', 'שלום', ', Madrid'])
    // Letters from right to left, and numbers from left to right, whatever the font turns around.
    expect(glyphs('לבן')).toEqual(glyphsOf('hebrew 400', 'ןבל'))
    expect(glyphs('٤٥١٧')).toEqual(glyphsOf('arabic 400', '٤٥١٧'))
    expect(glyphs('سيارة ٤٥١٧').slice(0, 4)).toEqual(glyphsOf('arabic 400', '٤٥١٧'))
    // Joined letters are narrower than the same letters apart.
    expect(fonts.measure('نقل', 400, 10)).toBeLessThan(
      ['ن', 'ق', 'ل'].reduce((sum, one) => sum + fonts.measure(one, 400, 10), 0)
    )
  })

  // It has Tifinagh, which Fitter's own fonts do not.
  const otherFont = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'
  it.skipIf(!existsSync(otherFont))('prints characters that only a chosen font file contains', async () => {
    const told: string[][] = []
    const onUnprintable = (characters: string[]) => void told.push(characters)
    const { job } = makePassedJob()
    expect(
      textOf(await render({ ...job, customer: 'ⴰⵣⵓⵍ' }, { chosenFont: otherFont, onUnprintable }), '-layout')
    ).toContain('ⴰⵣⵓⵍ')
    expect(told).toEqual([])
  })

  it('converts limits for imperial readers and prints times in the zone that is asked for', async () => {
    const text = dense(
      textOf(
        await render(makeTruckJob().job, { reader: { ...reader, units: 'imperial', timeZone: 'Europe/Madrid' } }),
        '-raw'
      )
    )
    expect(text).toContain(dense('distance max 164 ft; distance warn 656 ft'))
    expect(text).toContain(dense('19 Nov 2026, 09:12:04 CET'))
  })

  it('speaks Spanish where it is asked for: words, numbers, limits, dates and time zone', async () => {
    const { job } = makePassedJob()
    const seen = job.steps[1]!.evidence[0]!
    const measured = {
      ...job,
      steps: [
        job.steps[0]!,
        {
          ...job.steps[1]!,
          summary: message('limits.hdopPass', { hdopPass: 1.5 }) as never,
          durationMs: 2_500,
          evidence: [{ ...seen, thresholds: { hdopPass: 1.5, ageS: 90, passM: 50, standstillKmh: 1.5 } }]
        }
      ]
    }
    const text = dense(
      textOf(
        await render(measured, { reader: { language: 'es', units: 'metric', timeZone: 'America/Bogota' } }),
        '-raw'
      )
    )
    for (const part of [
      'Informe de instalación',
      'Terminado',
      '2 correctos',
      'HDOP como máximo 1,5',
      'antigüedad máxima 90 s; distancia máxima 50 m; velocidad máxima 1,5 km/h',
      '2,5 s',
      '19 nov 2026, 03:12:04',
      'GMT-5',
      'Página 1 de',
      'Esperado',
      'Equipo'
    ]) {
      expect(text).toContain(dense(part))
    }
    expect(text).not.toMatch(/Witness|Evidence|Logentry|atmost|attempt/)
    const spanish = { ...reader, language: 'es' }
    expect((await renderPage(measured, { reader: spanish })).text).toContain('Funciona, comprobado en la visita')
  })

  it('puts what was really seen beside the reason for which a step was skipped, and counts what was only sent apart', async () => {
    const { job } = makePassedJob()
    const lastResult = {
      state: 'fail' as const,
      summary: plainMessage('HDOP stayed at 9.'),
      remedy: plainMessage('Go outdoors.'),
      witness: ['device' as const],
      at: job.createdAt
    }
    const waiver = { reason: 'No sky here.', by: 'Technician 7', at: job.createdAt }
    const steps = [
      { ...job.steps[0]!, isSent: true },
      { ...job.steps[1]!, state: 'waived' as const, summary: plainMessage('Waived: No sky here.'), waiver, lastResult }
    ]
    const text = flat(textOf(await render({ ...job, steps }), '-layout'))
    expect(text).toContain('1 sent, 1 skipped')
    expect(text.split('Last test result: Failed. HDOP stayed at 9.')).toHaveLength(3)
    expect(text).toContain('Reason: No sky here.')
    expect(text).not.toMatch(/\b\d+ passed/)
  })

  it('is for the customer one page with what works, map, photos, both signatures and code, and names its evidence', async () => {
    const { job } = await makeSealedJob(makeSigner().sign)
    const same = job.steps.find(({ kind }) => kind === 'samePlace')!
    same.evidence[0]!.raw = {
      device: { latitude: 4.65, longitude: -74.1 },
      gatewayPlace: { latitude: 4.65006, longitude: -74.10012 }
    }
    const photos = Array.from({ length: 6 }, () => ({
      jpeg: new Uint8Array(readFileSync(join(import.meta.dirname, 'photo.jpg'))),
      purpose: message('report.photo.wiring'),
      takenAt: '2026-11-20T16:10:00.000Z'
    }))
    const stroke = [[100, 500, 300, 200, 500, 800, 900, 400]]
    const more = { photos, signatures: { technician: stroke, customer: stroke } }
    const { text } = await renderPage(job, more)
    expect(text).toMatch(/Device, 16:\d\d:\d\d/)
    for (const part of [
      'Gateway, 15 m away',
      'Wiring',
      'Technician One technician',
      'Customer One for the customer',
      'on the screen',
      'Is this report genuine?',
      job.seal.slice(0, 8),
      'Trips start and end with the key',
      'Reports arrive at the gateway',
      ...Object.values(fileNames)
    ])
      expect(dense(text)).toContain(dense(part))
    // What the vehicle can do, and nothing of how it was found out.
    for (const word of [job.id, job.device.address, `gateway id ${job.vehicle?.id}`, 'Log entry'])
      if (word !== '') expect(text).not.toContain(word)
    const file = await render(job, more)
    const evidence = flat(textOf(file, '-layout'))
    for (const part of [
      'evidence for fitter-report.pdf',
      'In this file, by page',
      'Expected',
      'Measured',
      '6 photos',
      'device 15:58:09',
      'Signed with key',
      job.id
    ])
      expect(evidence).toContain(part)
    for (const step of job.steps) expect(dense(evidence)).toContain(dense(english(step.title)))
    const images = execFileSync('pdfimages', ['-list', file], { encoding: 'utf8' }).trim().split('\n').slice(2)
    // Each picture is in the file once, however often it is shown.
    expect(new Set(images.map((line) => line.trim().split(/\s+/)[10])).size).toBe(6)
    expectClean(file)
  })

  it.each(['en', 'es'])('stays one page with twelve skipped steps and a page of photos, in “%s”', async (language) => {
    const { job } = await makeSealedJob(makeSigner().sign)
    const waived = Array.from({ length: 12 }, (_, index) => ({
      ...job.steps[index % job.steps.length]!,
      id: `w${index}`,
      kind: 'inputs' as const,
      title: plainMessage(`Side door contact number ${index + 1}`),
      short: plainMessage(`Door ${index + 1}`),
      state: 'waived' as const,
      waiver: { reason: `Door ${index + 1} was loaded up to the roof.`, by: 'Technician 7', at: job.createdAt }
    }))
    const photos = Array.from({ length: 4 }, () => ({
      jpeg: new Uint8Array(readFileSync(join(import.meta.dirname, 'photo.jpg'))),
      purpose: message('report.photo.wiring'),
      takenAt: null
    }))
    const { text } = await renderPage(
      { ...job, steps: [...job.steps, ...waived] },
      { photos, reader: { ...reader, language } }
    )
    for (const { waiver, short } of waived) {
      expect(text).toContain(english(short).replace('Door', 'Door'))
      expect(text).toContain(waiver.reason.slice(0, 30))
    }
  })

  it('has its sections on the pages that its contents names', async () => {
    const pages = textOf(await render(makeLongJob(12)), '-layout')
      .split('\f')
      .map(flat)
    const contents = pages[0]!.slice(pages[0]!.indexOf('In this file, by page'))
    for (const section of ['Gateway operations', 'Evidence', 'Seal of the log']) {
      const found = new RegExp(`(\\d+) ${section}`).exec(contents)
      if (section === 'Seal of the log' && !found) continue
      expect([section, pages[Number(found?.[1]) - 1]]).toEqual([section, expect.stringContaining(section)])
    }
  })

  it('tells the customer what works, what is not verified and what follows, and only what the steps prove', async () => {
    const { job } = await makeSealedJob(makeSigner().sign)
    const change = (kind: string, more: Partial<Job['steps'][number]>): Job['steps'] =>
      job.steps.map((step) => (step.kind === kind ? { ...step, ...more } : step))
    const page = async (steps: Job['steps'], more: Partial<Job> = {}): Promise<string> =>
      (await renderPage({ ...job, steps, ...more })).text
    const whole = await page(job.steps)
    expect(whole).toContain('The device reports to the gateway. Everything in this report was verified.')
    expect(whole).not.toContain('Not verified')
    const waived = await page(
      change('ignition', {
        state: 'waived',
        waiver: { reason: 'No key here.', by: 'T', at: job.createdAt },
        lastResult: {
          state: 'fail',
          summary: plainMessage('IGN never moved.'),
          remedy: null,
          witness: ['device'],
          at: job.createdAt
        }
      })
    )
    expect(waived).toContain('The device reports to the gateway. 1 item is not verified.')
    for (const part of [
      'Not verified',
      '«No key here.»',
      'Failed. IGN never moved.',
      'To be agreed with the technician.'
    ])
      expect(waived).toContain(part)
    expect(waived.indexOf('Trips may not follow')).toBeGreaterThan(waived.indexOf('Not verified'))
    const sent = await renderPage({ ...job, steps: change('alignment', { isSent: true }) })
    expect(dense(textOf(sent.file, '-raw'))).toContain(dense('It was sent. The device does not report a result.'))
    // No event arrived: the report does not say that the device reports.
    expect(
      await page(change('delivered', { state: 'deferred', summary: plainMessage('Away.') }), {
        state: 'installedAwaitingGateway'
      })
    ).not.toContain('The device reports')
    expect(await page(job.steps, { state: 'failed' })).not.toMatch(/The device reports|verified\./)
  })

  it('says who accepted a warning: on the page of the customer and beside the step', async () => {
    const { job } = await makeSealedJob(makeSigner().sign)
    const accepted = (attempt: number): Job['steps'] =>
      job.steps.map((step) =>
        step.kind === 'ignition'
          ? {
              ...step,
              state: 'warn',
              evidence: [
                ...step.evidence,
                {
                  ...step.evidence[0]!,
                  attempt,
                  witness: 'person',
                  what: message('jobs.accepted', { by: 'Ana Torres' })
                }
              ]
            }
          : step
      )
    const text = async (steps: Job['steps']): Promise<string[]> => [
      (await renderPage({ ...job, steps })).text,
      flat(textOf(await render({ ...job, steps }), '-layout'))
    ]
    const attempt = job.steps.find(({ kind }) => kind === 'ignition')!.attempts
    const [first, ...others] = await text(accepted(attempt))
    expect(first).toContain('Accepted by Ana Torres')
    expect(others.join(' ')).toContain('Warning accepted by Ana Torres on')
    // The acceptance of an earlier attempt is evidence, and nothing more.
    const [before, ...rest] = await text(accepted(attempt - 1))
    expect(before).not.toContain('Ana Torres')
    expect(rest.join(' ')).not.toContain('Warning accepted by Ana Torres on')
  })

  it('says what works after a warning, and what a person noted', async () => {
    const { job } = await makeSealedJob(makeSigner().sign)
    const consequences = { works: [message('ignition.ignition')], notAvailable: [message('ignition.idling')] }
    const steps = job.steps.map((step): Job['steps'][number] =>
      step.kind === 'ignition'
        ? {
            ...step,
            state: 'warn',
            consequences,
            evidence: [
              ...step.evidence,
              {
                ...step.evidence[0]!,
                witness: 'person',
                what: message('jobs.noted', { by: 'Ana Torres', note: 'The customer knows' })
              }
            ]
          }
        : step
    )
    const file = flat(textOf(await render({ ...job, steps }), '-layout'))
    expect(file).toMatch(/Works: ignition\. +Not available: idle time\./)
    expect(file).toContain('Note by Ana Torres: The customer knows')
  })

  it('stays one page with signatures and code, however many steps there are, and counts what the page has no room for', async () => {
    const long = makeLongJob(90)
    const stroke = [[100, 500, 300, 200, 500, 800, 900, 400]]
    const signOff = { ...long.steps[0]!, id: 'sign-off', kind: 'signOff' as const }
    const { text } = await renderPage(
      {
        ...long,
        steps: [...long.steps, signOff],
        vehicle: { id: 7, name: 'Unit 0007', plate: 'HLD007', copied: { at: null, imei: null } }
      },
      { signatures: { technician: stroke, customer: stroke } }
    )
    for (const part of ['Unit 0007 HLD007', 'for the customer', 'more results are in the evidence file'])
      expect(text).toContain(part)
    // What is not verified is the last that gives way.
    expect(text).toContain('«No door 4.»')
  })

  it('calls a customer whose name was only entered not signed', async () => {
    const { job } = await makeSealedJob(makeSigner().sign)
    expect(flat(textOf((await renderPage(job, { signatures: {} })).file))).toMatch(
      /Customer One for the customer [^ ]+ by name did not sign/
    )
  })

  it(
    'is read aloud in order: a title, headings, tables with their headers, pictures with words',
    { tags: ['long'] },
    async () => {
      const file = await render(makeTruckJob().job)
      const info = execFileSync('pdfinfo', [file], { encoding: 'utf8' })
      expect(info).toMatch(/Tagged:\s+yes/)
      const tree = execFileSync('pdfinfo', ['-struct-text', file], { encoding: 'utf8' })
      for (const part of [/H1 \(block\)\s+"Camión 12 · 4821 KLM"/, /H2 \(block\)/, /TH.*\s+"Step"/, /TD/])
        expect(tree).toMatch(part)
      // What a reader of the archive is told; the claim stands in the file's own description.
      expect(readFileSync(file).toString('latin1')).toMatch(/pdfaid:part>2</)
      // Nothing in it is torn or left open.
      expect(spawnSync('pdftotext', [file, '-'], { encoding: 'utf8' }).stderr).toBe('')
    }
  )

  it('says on every page that it was practice', { tags: ['long'] }, async () => {
    const job = makeLongJob(8)
    const file = await render(job, { isTraining: true })
    const pages = textOf(file, '-raw')
      .split('\f')
      .filter((page) => page.trim() !== '')
    expect(pages.length).toBeGreaterThan(2)
    for (const page of pages) expect(dense(page)).toContain('TRAINING')
    expect(flat(pages[0]!)).toContain('It verifies nothing about a real one')
    expect(execFileSync('pdfinfo', [file], { encoding: 'utf8' })).toContain('Training: Installation report')
    expect(dense(textOf(await render(job), '-raw'))).not.toContain('TRAINING')
  })

  it('cuts a text that is longer than any page, wherever it stands', { tags: ['long'] }, async () => {
    const { job } = makePassedJob()
    const steps = [{ ...job.steps[0]!, summary: plainMessage('S'.repeat(200_000)) }]
    const file = await render({
      ...job,
      steps,
      customer: 'W'.repeat(200_000),
      vehicle: { id: 1, name: 'V'.repeat(200_000) }
    })
    const raw = dense(textOf(file, '-raw'))
    expect(raw).toMatch(/[^W]W{300}\[…\]/)
    expect(raw).toMatch(/[^V]V{300}\[…\]/)
    expect(raw.replace(/[^W]/g, '').length).toBeLessThan(300 + 300 + 20)
    expect(raw.replace(/[^S]/g, '').length).toBeGreaterThan(longestTextLength - 1)
    expect(raw.replace(/[^S]/g, '').length).toBeLessThan(longestTextLength + 250)
    expectClean(file)
  })

  it('blacks out secrets in text and in the properties of the file', async () => {
    const { job } = makeTruckJob()
    const secret = 'CANARY7f3a'
    const file = await render(
      {
        ...job,
        customer: secret,
        technician: secret,
        vehicle: { id: 1, name: secret },
        steps: job.steps.map((step) => ({
          ...step,
          title: plainMessage(secret),
          evidence: step.evidence.map((one) => ({ ...one, what: plainMessage(secret), thresholds: { a: secret } }))
        }))
      },
      { redact: (text) => text.replaceAll(secret, '[hidden]') }
    )
    const everything = textOf(file) + execFileSync('pdfinfo', [file], { encoding: 'utf8' })
    expect(everything).toContain('[hidden]')
    expect(everything).not.toContain(secret)
  })

  it('prints a job that has just begun, without steps, vehicle or operations', async () => {
    const { job } = makePassedJob()
    const file = await render({
      ...job,
      state: 'draft',
      steps: [],
      operations: [],
      vehicle: null,
      vehicleText: '',
      customer: '',
      seal: ''
    })
    expect(flat(textOf(file, '-layout'))).toContain('Not finished: interim report')
    expectClean(file)
  })
})
