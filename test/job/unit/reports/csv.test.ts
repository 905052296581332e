import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../../preload/contract/job/jobs.ts'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { makeCsvReport as makeReport, type CsvOptions } from '../../../../main/job/reports/csv.ts'
import { quoteCell } from '../../../../preload/base/messages/csvFile.ts'
import { makePassedJob, makeTruckJob } from '../../../world/data/sampleJob.ts'

const texts = createTexts({ language: 'en', timeZone: 'UTC' })
/** The table behind its mark. */
const makeCsvReport = (job: Job, more: Partial<CsvOptions> = {}): string =>
  makeReport(job, { texts, isTraining: false, ...more }).replace(/^\ufeff/, '')

/** A reader of RFC 4180 of its own, so that the writer is not checked by itself. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (at >= text.length) throw new Error('a quote is not closed')
        if (text[at] === '"' && text[at + 1] === '"') cell += text[at++]
        else if (text[at] === '"') break
        else cell += text[at]
      }
      at++
    } else {
      while (at < text.length && !',\r\n'.includes(text[at]!)) {
        if (text[at] === '"') throw new Error('a quote stands in a bare cell')
        cell += text[at++]
      }
    }
    row.push(cell)
    if (text[at] === ',') at++
    else if (text.startsWith('\r\n', at)) {
      at += 2
      rows.push(row)
      row = []
    } else throw new Error(`unexpected character at ${at}`)
    if (at === text.length && row.length > 0) row.push('')
  }
  return rows
}

describe('CSV report', () => {
  it('is a header line and one line for the job, with one column per kind of step', () => {
    const { job } = makeTruckJob()
    const rows = readCsv(makeCsvReport(job))
    expect(rows).toHaveLength(2)
    const cells = Object.fromEntries(rows[0]!.map((name, index) => [name, rows[1]![index]]))
    expect(rows[0]).toHaveLength(rows[1]!.length)
    expect(cells).toMatchObject({
      id: job.id,
      kind: 'installation',
      state: 'done',
      template: 'heavy-truck',
      templateVersion: '2',
      imei: '356307042441013',
      model: 'cc3',
      vehicleId: '4711',
      vehicle: 'Camión 12 · 4821 KLM',
      customer: 'Áridos y Hormigones del Segura, S.L.',
      technician: 'Technician 7',
      createdAt: '2026-11-19 08:12:04',
      timeZone: 'UTC',
      language: 'en',
      training: 'no',
      'step identity': 'pass',
      'step ignition': 'warn',
      'step samePlace': 'waived',
      'step output': 'fail',
      'step measurement': '',
      operations: 'vehicle.assignDevice: done | vehicle.setCounters: accepted | ibutton.register: needsAttention',
      seal: job.seal
    })
    expect(cells['waivers']).toMatch(/^The gateway shows the same place: Vehicle stands in the underground workshop/)
  })

  it('keeps the same columns for every job, so that lines without a header can be put together', () => {
    const table = readCsv(makeCsvReport(makeTruckJob().job) + makeCsvReport(makePassedJob().job, { header: false }))
    expect(table).toHaveLength(3)
    expect(new Set(table.map((row) => row.length)).size).toBe(1)
  })

  it('names the steps where a job has several of one kind', () => {
    const { job } = makePassedJob()
    const twice = {
      ...job,
      vehicle: null,
      steps: [...job.steps, { ...job.steps[1]!, id: 'position2', state: 'fail' as const }]
    }
    const [header, row] = readCsv(makeCsvReport(twice))
    expect(row![header!.indexOf('step position')]).toBe('position: pass | position2: fail')
    expect(row![header!.indexOf('vehicleId')]).toBe('')
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1+1', '=HYPERLINK("http://x","y")'])(
    'makes %j harmless with an apostrophe',
    (text) => {
      const { job } = makePassedJob()
      const [header, row] = readCsv(makeCsvReport({ ...job, customer: text }))
      expect(row![header!.indexOf('customer')]).toBe(`'${text}`)
    }
  )

  it('quotes any text so that it reads back as it was, behind at most an apostrophe', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ' ', '=', 'a', 'ñ', '\t', "'") }), (text) => {
        const [[first, second]] = readCsv(`${quoteCell(text)},x\r\n`) as [[string, string]]
        expect([text, `'${text}`]).toContain(first)
        expect(second).toBe('x')
        expect(first).not.toMatch(/^\s*[=+\-@]/)
      })
    )
  })

  it("speaks the language that is asked for, in the reader's time zone, and says that it was practice", () => {
    const { job } = makeTruckJob()
    const spanish = createTexts({ language: 'es', timeZone: 'Europe/Madrid' })
    const [header, row] = readCsv(makeCsvReport(job, { texts: spanish, isTraining: true }))
    const cells = Object.fromEntries(header!.map((name, index) => [name, row![index]]))
    expect(cells).toMatchObject({
      tipo: 'instalación',
      estado: 'terminado',
      'paso encendido': 'aviso',
      'paso mismoLugar': 'omitido',
      creado: '2026-11-19 09:12:04',
      práctica: 'sí',
      zonaHoraria: 'Europe/Madrid'
    })
  })

  it('blacks out secrets', () => {
    const { job } = makeTruckJob()
    const text = makeCsvReport(
      { ...job, customer: 'CANARY' },
      { redact: (one) => one.replaceAll('CANARY', '[hidden]') }
    )
    expect(text).toContain('[hidden]')
    expect(text).not.toContain('CANARY')
  })
})
