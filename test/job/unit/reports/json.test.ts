import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { makeJsonReport } from '../../../../main/job/reports/json.ts'
import { verifyJsonReport } from '../../../../main/job/reports/verify.ts'
import { sealEntry, sealOf, sha256Hex, startHash, type JournalEntry } from '../../../../main/data/store/jobs/seal.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { english } from '../../../world/window/english.ts'
import { makeSampleJob, makeTruckJob, type SampleJob } from '../../../world/data/sampleJob.ts'

const texts = createTexts({ language: 'en', units: 'metric', timeZone: 'UTC' })
const stamp = { generatedAt: '2026-11-20T09:00:00.000Z', appVersion: '0.1.0' }
const unsealed = { id: 'report.check.unsealed', values: {} }
const whole = { ok: true, findings: [unsealed] }
const meta = { ...stamp, texts, isTraining: false }
const report = (sample: SampleJob): Promise<string> => makeJsonReport({ ...sample, ...meta })

function makeSmallJob(): SampleJob {
  return makeSampleJob(
    [
      {
        id: 'position',
        kind: 'position',
        title: 'Posición \ufffd',
        instruction: '',
        state: 'pass',
        witness: ['device'],
        summary: 'ñ',
        seen: [{ witness: 'device', what: 'Fix', raw: { n: 9 }, thresholds: null }]
      }
    ],
    { operations: [], customer: '' }
  )
}

/** The report with some of its document replaced, and a document hash that fits again: what a careful forger writes. */
function forge(
  text: string,
  change: (document: { job: SampleJob['job']; log: JournalEntry[]; seal: string }) => void
): string {
  const document = JSON.parse(text)
  change(document)
  delete document.documentHash
  const body = `${JSON.stringify(document, null, 2).slice(0, -2)},\n`
  return `${body}  "documentHash": "${sha256Hex(body)}"\n}\n`
}

describe('JSON report', () => {
  it('holds the job, its log and the seal, and verifies', async () => {
    const sample = makeTruckJob()
    const text = await report(sample)
    expect(JSON.parse(text)).toMatchObject({
      format: 'fitter-job-report',
      version: 4,
      ...stamp,
      language: 'en',
      timeZone: 'UTC',
      isTraining: false,
      job: sample.job,
      log: sample.entries,
      seal: sample.job.seal,
      redactedEntries: []
    })
    expect(verifyJsonReport(text)).toMatchObject(whole)
    expect(verifyJsonReport(Buffer.from(text))).toMatchObject(whole)
  })

  it(
    'notices every single byte that is replaced, removed, doubled or preceded by a space',
    { tags: ['long'], timeout: 360_000 },
    async () => {
      const bytes = Buffer.from(await report(makeSmallJob()))
      expect(verifyJsonReport(bytes).ok).toBe(true)
      const missed: string[] = []
      const expectFound = (position: number, what: string, changed: Buffer): void => {
        if (verifyJsonReport(changed).ok) missed.push(`${what} at ${position}`)
        // Decoding can hide a change of bytes beyond ASCII, and only there.
        const isBeyondAscii = (bytes[position] ?? 0x80) >= 0x80 || (changed[position] ?? 0x80) >= 0x80
        if (isBeyondAscii && verifyJsonReport(changed.toString('utf8')).ok)
          missed.push(`${what} at ${position}, as text`)
      }
      for (let at = 0; at < bytes.length; at++) {
        for (const value of [bytes[at]! ^ 1, bytes[at]! ^ 0x80]) {
          const changed = Buffer.from(bytes)
          changed[at] = value
          expectFound(at, `byte ${value}`, changed)
        }
        expectFound(at, 'removal', Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]))
        expectFound(at, 'insertion', Buffer.concat([bytes.subarray(0, at), Buffer.from(' '), bytes.subarray(at)]))
        if (at % 50 === 49) expectFound(at, 'cut', bytes.subarray(0, at))
      }
      expectFound(bytes.length, 'newline', Buffer.concat([bytes, Buffer.from('\n')]))
      expectFound(0, 'byte order mark', Buffer.concat([Buffer.from('\ufeff'), bytes]))
      expectFound(0, 'CRLF', Buffer.from(bytes.toString().replaceAll('\n', '\r\n')))
      expect(missed).toEqual([])
    }
  )

  it('notices any byte set to any value at a random place of a long report', async () => {
    const bytes = Buffer.from(await report(makeTruckJob()))
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        fc.pre(bytes[at] !== value)
        const changed = Buffer.from(bytes)
        changed[at] = value
        return !verifyJsonReport(changed).ok
      }),
      { numRuns: 300 }
    )
  })

  it('names what was forged even when the document hash was made to fit', async () => {
    const text = await report(makeTruckJob())
    const findings = (change: Parameters<typeof forge>[1]): string => {
      const check = verifyJsonReport(forge(text, change))
      expect(check.ok).toBe(false)
      return check.findings.map(english).join(' ')
    }
    expect(verifyJsonReport(forge(text, () => undefined))).toMatchObject(whole)
    expect(
      findings(({ job }) => {
        job.steps[0]!.evidence[0]!.what = plainMessage('another')
      })
    ).toMatch(/differs from the log/)
    expect(
      findings(({ job }) => {
        job.steps[0]!.evidence[0]!.raw = { imei: 'another' }
      })
    ).toMatch(/differs from the log/)
    expect(
      findings(({ job }) => {
        job.steps[0]!.evidence[0]!.hash = '0'.repeat(64)
      })
    ).toMatch(/not in the log/)
    expect(
      findings(({ job }) => {
        job.steps[6]!.evidence = []
      })
    ).toMatch(/No step shows evidence/)
    expect(
      findings(({ job }) => {
        job.steps[1]!.evidence = job.steps[6]!.evidence
      })
    ).toMatch(/differs from the log/)
    expect(
      findings(({ log }) => {
        log[3]!.data = {}
      })
    ).toMatch(/broken at entry 4/)
    expect(
      findings(({ log }) => {
        log.splice(4, 1)
      })
    ).toMatch(/broken at entry 6/)
    expect(
      findings(({ log }) => {
        log.pop()
      })
    ).toMatch(/missing at the end/)
    expect(
      findings((document) => {
        document.log.pop()
        document.seal = sealOf('', document.log)
      })
    ).toMatch(/from different moments/)
    expect(
      findings(({ job }) => {
        job.id = 'another'
      })
    ).toMatch(/broken at entry 1/)
    expect(
      findings(({ job }) => {
        ;(job as { state: string }).state = 'perfect'
      })
    ).toMatch(/job\.state is not as expected/)
  })

  it('says that a file is no report instead of failing', () => {
    for (const text of ['', '{}', '[]', 'null', 'not JSON', '{"format":"fitter-job-report"}', '\ud800']) {
      const check = verifyJsonReport(text)
      expect(check.ok).toBe(false)
      expect(check.findings.length).toBeGreaterThan(0)
    }
    expect(verifyJsonReport(Uint8Array.of(0xff, 0xfe, 0)).findings).toEqual([
      { id: 'report.check.notText', values: {} }
    ])
  })

  it('accepts a file of the first version, in which all texts were sentences, and notices a change in it', () => {
    const file = readFileSync(join(import.meta.dirname, 'report-of-version-1.json'))
    expect(verifyJsonReport(file)).toMatchObject(whole)
    const findings = verifyJsonReport(
      forge(file.toString(), ({ job }) => {
        job.steps[1]!.evidence[0]!.raw = { distanceM: 14 }
      })
    ).findings
    expect(findings.map(({ id }) => id)).toEqual(['report.check.differs'])
  })

  it('says it in the language that is asked for, beside the data, and that it was practice', async () => {
    const text = await makeJsonReport({
      ...makeTruckJob(),
      ...meta,
      texts: createTexts({ language: 'es', timeZone: 'Europe/Madrid' }),
      isTraining: true
    })
    expect(verifyJsonReport(text)).toMatchObject({
      ...whole,
      findings: [{ id: 'report.check.training' }, ...whole.findings]
    })
    const { language, isTraining, texts: said } = JSON.parse(text)
    expect({ language, isTraining }).toEqual({ language: 'es', isTraining: true })
    expect(said).toMatchObject({
      title: 'Informe de instalación',
      training: expect.stringContaining('práctica'),
      started: '19 nov 2026, 09:12:04 CET'
    })
    expect(said.headline).toBe(
      '3 correctos, 1 correcto con aviso, 1 omitido, 1 fallido, 1 ilegible, 1 aplazado hasta que responda la plataforma, 1 sin hacer, 1 que no corresponde'
    )
  })

  it('keeps odd characters and odd keys of a raw reading', async () => {
    const raw = JSON.parse('{"__proto__":{"a":1},"constructor":2,"\\u2028":"\\ud83d\\ude9a \\ufeff \\ud800"}')
    const sample = makeSampleJob([
      {
        id: 'a',
        kind: 'question',
        title: 'A',
        instruction: '',
        state: 'pass',
        witness: ['person'],
        summary: '',
        seen: [{ witness: 'person', what: 'x', raw: { list: [1] }, thresholds: null }]
      }
    ])
    const odd = { seq: sample.entries.length + 1, at: meta.generatedAt, type: 'note', stepId: null, data: raw }
    const entries = [...sample.entries, sealEntry(sample.entries.at(-1)?.hash ?? startHash(sample.job.id), odd)]
    const text = await makeJsonReport({
      job: { ...sample.job, seal: sealOf(sample.job.id, entries) },
      entries,
      ...meta
    })
    expect(JSON.parse(text).log.at(-1).data).toEqual(raw)
    expect(verifyJsonReport(Buffer.from(text))).toMatchObject(whole)
  })

  it('blacks out secrets everywhere, says in which entries, and still verifies', async () => {
    const secret = 'CANARY-7f3a'
    const sample = makeSampleJob(
      [
        {
          id: 'a',
          kind: 'question',
          title: `T ${secret}`,
          instruction: secret,
          state: 'pass',
          witness: ['person'],
          summary: secret,
          remedy: secret,
          seen: [
            {
              witness: 'person',
              what: `seen ${secret}`,
              raw: { [secret]: [secret], [`${secret}`.toLowerCase()]: 1 },
              thresholds: { limit: secret }
            },
            { witness: 'person', what: 'harmless', raw: null, thresholds: null }
          ]
        }
      ],
      {
        customer: secret,
        technician: secret,
        vehicleText: secret,
        vehicle: { id: 1, name: secret },
        operations: [{ id: '1', kind: secret, state: 'done' }]
      }
    )
    const redact = (text: string): string => text.replaceAll(new RegExp(secret, 'gi'), '[hidden]')
    const text = await makeJsonReport({ ...sample, ...meta, redact })
    expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
    expect(JSON.parse(text).log[1].data.raw).toBe('[hidden]')
    expect(verifyJsonReport(text)).toMatchObject({
      ok: true,
      verdict: 'notSealed',
      findings: [{ id: 'report.check.blackedOutEarlier', values: { n: 1, entries: ['2'] } }, unsealed]
    })
  })
})
