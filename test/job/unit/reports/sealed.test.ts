import { beforeAll, describe, expect, it } from 'vitest'
import { makeJsonReport } from '../../../../main/job/reports/json.ts'
import { makeSealPage, openSealPage } from '../../../../main/job/reports/sealPage.ts'
import { verifyJsonReport } from '../../../../main/job/reports/verify.ts'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { sealEntry, sha256Hex, startHash, type JournalEntry } from '../../../../main/data/store/jobs/seal.ts'
import { fingerprintOf, sealText, unsigned, type Signature } from '../../../../main/data/store/jobs/signature.ts'
import type { Job } from '../../../../preload/contract/job/jobs.ts'
import { pageScript } from '../../../world/data/forgeries.ts'
import { jobOf, makeSealedJob, makeSigner, sealedJobId } from '../../../world/data/sealedJob.ts'

const texts = createTexts({ language: 'en', units: 'metric', timeZone: 'UTC' })
const meta = { generatedAt: '2026-11-20T17:00:00.000Z', appVersion: '0.1.0', texts, isTraining: false }
const own = makeSigner()
const stranger = makeSigner()

interface Document {
  job: Job
  log: JournalEntry[]
  seal: string
  redactedEntries: number[]
  texts: { steps: { summary: string }[] }
  documentSignature: Signature
}

let text: string
beforeAll(async () => {
  text = await makeJsonReport({ ...(await makeSealedJob(own.sign)), ...meta, sign: own.sign })
})

/** What a forger writes who knows everything but the key: every hash fits again. */
function forge(change: (document: Document) => void): string {
  const document = JSON.parse(text) as Document & { documentHash?: string }
  change(document)
  delete document.documentHash
  const body = `${JSON.stringify(document, null, 2).slice(0, -2)},\n`
  return `${body}  "documentHash": "${sha256Hex(body)}"\n}\n`
}

/** The chain of the log made to fit again, and the job to its log. */
function chainAgain(document: Document): void {
  let previous = startHash(document.job.id)
  document.log = document.log.map(({ hash: _hash, ...entry }, index) => {
    const sealed = sealEntry(previous, { ...entry, seq: index + 1 })
    previous = sealed.hash
    return sealed
  })
  document.seal = previous
  document.job = { ...jobOf(document.job.id, document.log) }
}

const firstEvidence = (document: Document) => document.log.findIndex(({ type }) => type === 'evidence')

/** How a sealed log may be tampered with, with hashes that fit wherever hashes alone can be made to fit. */
const forgeries: Record<string, (document: Document) => void> = {
  'a value changed': (document) => {
    const entry = document.log[firstEvidence(document)]!
    entry.data = { ...(entry.data as object), raw: { value: 12 } }
  },
  'a value changed, and the chain made to fit': (document) => {
    const entry = document.log[firstEvidence(document)]!
    entry.data = { ...(entry.data as object), raw: { value: 12 } }
    chainAgain(document)
  },
  'a time of a clock changed, and the chain made to fit': (document) => {
    const entry = document.log[firstEvidence(document)]!
    entry.at = '2026-11-19T10:00:00.000Z'
    chainAgain(document)
  },
  'an entry missing': (document) => void document.log.splice(firstEvidence(document), 1),
  'an entry missing, and the chain made to fit': (document) => {
    document.log.splice(firstEvidence(document), 1)
    chainAgain(document)
  },
  'two entries in another order, and the chain made to fit': (document) => {
    const at = firstEvidence(document)
    ;[document.log[at], document.log[at + 3]] = [document.log[at + 3]!, document.log[at]!]
    chainAgain(document)
  },
  'an entry added before the seal, and the chain made to fit': (document) => {
    document.log.splice(firstEvidence(document), 0, { ...document.log[firstEvidence(document)]! })
    chainAgain(document)
  },
  'an entry added after the seal, and the chain made to fit': (document) => {
    document.log.push({ ...document.log[firstEvidence(document)]! })
    chainAgain(document)
  },
  'the tail cut off, and the rest made to fit': (document) => {
    document.log.pop()
    chainAgain(document)
  },
  'the key in the seal replaced': (document) => {
    const seal = document.log.at(-1)!
    document.log[document.log.length - 1] = {
      ...seal,
      data: { ...(seal.data as object), publicKey: stranger.publicKey }
    }
    chainAgain(document)
  },
  'the key of the document replaced': (document) => {
    document.documentSignature = { ...document.documentSignature, publicKey: stranger.publicKey } as Signature
  },
  'an entry called blacked out, with another text': (document) => {
    const entry = document.log[firstEvidence(document)]!
    entry.data = { ...(entry.data as object), raw: { value: 12 } }
    const step = document.job.steps.find(({ evidence }) => evidence[0]?.hash === entry.hash)!
    step.evidence[0]!.raw = { value: 12 }
    document.redactedEntries = [entry.seq]
  },
  'the words of a result changed': (document) => {
    document.texts.steps[0]!.summary = 'As good as new.'
  },
  'the state of a step changed in the job': (document) => {
    document.job.steps[1]!.state = 'warn'
  },
  'the signature of the document taken away': (document) => {
    delete (document as Partial<Document>).documentSignature
  }
}

describe('A sealed report', () => {
  it('verifies at the terminal and in its page, with the key by name', async () => {
    const fingerprint = fingerprintOf(own.publicKey)
    expect(verifyJsonReport(text, { knownKeys: [own.publicKey] })).toMatchObject({
      ok: true,
      verdict: 'knownKey',
      findings: [],
      seal: { kind: 'signed', fingerprint, isKnown: true }
    })
    expect(verifyJsonReport(text, { knownKeys: [] })).toMatchObject({
      ok: true,
      verdict: 'unknownKey',
      findings: [],
      seal: { isKnown: false }
    })
    expect(verifyJsonReport(text)).toMatchObject({
      ok: true,
      verdict: 'unknownKey',
      findings: [{ id: 'report.check.keyNotLookedUp' }],
      seal: { isKnown: null }
    })
    expect(await pageScript.check(text)).toMatchObject({ verdict: 'unknownKey', findings: [], seal: { fingerprint } })
  })

  it.each(Object.entries(forgeries))('shows %s, at the terminal and in its page', async (_what, change) => {
    const forged = forge(change)
    const check = verifyJsonReport(forged, { knownKeys: [own.publicKey] })
    expect(check.ok).toBe(false)
    expect(check.findings.length).toBeGreaterThan(0)
    const shown = await pageScript.check(forged)
    expect(shown.verdict).toBe('changed')
  })

  it('is not taken for the old one when somebody else signed all of it anew: the key is another, and not known here', async () => {
    const forged = await makeJsonReport({ ...(await makeSealedJob(stranger.sign)), ...meta, sign: stranger.sign })
    expect(verifyJsonReport(forged, { knownKeys: [own.publicKey] })).toMatchObject({
      ok: true,
      verdict: 'unknownKey',
      seal: { isKnown: false, fingerprint: fingerprintOf(stranger.publicKey) }
    })
    expect(await pageScript.check(forged)).toMatchObject({
      verdict: 'unknownKey',
      seal: { fingerprint: fingerprintOf(stranger.publicKey) }
    })
  })

  it('shows only what the seal covers when another computer writes it, which stands under the key of the seal alone', async () => {
    const mixed = await makeJsonReport({ ...(await makeSealedJob(own.sign)), ...meta, sign: stranger.sign })
    expect(JSON.parse(mixed)).toMatchObject({ job: { operations: [] }, documentSignature: unsigned })
    expect(JSON.parse(mixed)).not.toHaveProperty('texts')
    expect(verifyJsonReport(mixed, { knownKeys: [own.publicKey] })).toMatchObject({
      ok: true,
      verdict: 'knownKey',
      findings: [{ id: 'report.check.otherWriter' }]
    })
    expect(await pageScript.check(mixed)).toMatchObject({
      verdict: 'unknownKey',
      seal: { fingerprint: fingerprintOf(own.publicKey) }
    })
  })

  it('ends with its seal when another computer writes it: where the job went afterwards is in the log of that computer', async () => {
    const job = await makeSealedJob(own.sign, sealedJobId, 'now', { isMoved: true })
    const report = await makeJsonReport({ ...job, ...meta, sign: stranger.sign })
    const { log, job: shown } = JSON.parse(report) as Document
    expect(log.at(-1)!.type).toBe('sealed')
    expect(shown).not.toHaveProperty('handedOver')
    expect(verifyJsonReport(report, { knownKeys: [own.publicKey] })).toMatchObject({
      ok: true,
      verdict: 'knownKey',
      findings: [{ id: 'report.check.otherWriter' }]
    })
    expect((JSON.parse(await makeJsonReport({ ...job, ...meta, sign: own.sign })) as Document).log).toHaveLength(
      log.length + 2
    )
  })

  it('says plainly that it is sealed by its hashes only where there was no keychain, and never shows green', async () => {
    const sign = () => Promise.resolve(unsigned)
    const unsignedReport = await makeJsonReport({ ...(await makeSealedJob(sign)), ...meta, sign })
    expect(verifyJsonReport(unsignedReport)).toMatchObject({
      ok: true,
      verdict: 'hashesOnly',
      findings: [],
      seal: { kind: 'hashOnly', fingerprint: null }
    })
    expect(await pageScript.check(unsignedReport)).toMatchObject({ verdict: 'hashesOnly', findings: [] })
  })

  it('is not signed any more, and not green, when somebody wrote all of it anew without a key', async () => {
    const forged = forge((document) => {
      const seal = document.log.at(-1)!
      document.log[document.log.length - 1] = { ...seal, data: { ...(seal.data as object), ...unsigned } }
      chainAgain(document)
      document.documentSignature = unsigned
    })
    expect(verifyJsonReport(forged)).toMatchObject({ verdict: 'hashesOnly', seal: { kind: 'hashOnly' } })
    expect(await pageScript.check(forged)).toMatchObject({ verdict: 'hashesOnly' })
  })

  it('takes entries after the seal of a job that waits for the gateway for what they are: not sealed yet', async () => {
    const { entries } = await makeSealedJob(own.sign)
    const log = entries.slice(0, -2)
    const add = (entry: Omit<JournalEntry, 'seq' | 'hash' | 'at' | 'stepId'>, at = '2026-11-20T16:30:00.000Z') =>
      void log.push(sealEntry(log.at(-1)!.hash, { seq: log.length + 1, at, stepId: null, ...entry }))
    add({ type: 'stateChanged', data: { state: 'installedAwaitingGateway', reason: 'signed off' } })
    const claim = { head: log.at(-1)!.hash, entries: log.length, at: '2026-11-20T16:30:00.000Z' }
    add({ type: 'sealed', data: { ...claim, ...(await own.sign(sealText({ job: sealedJobId, ...claim }))) } })
    add({ type: 'deviceAddress', data: { address: '10.0.0.1' } })
    const waiting = await makeJsonReport({ job: jobOf(sealedJobId, log), entries: log, ...meta, sign: own.sign })
    expect(verifyJsonReport(waiting)).toMatchObject({
      ok: true,
      verdict: 'unknownKey',
      findings: [{ id: 'report.check.earlierSeal' }, {}, { id: 'report.check.openAfterSeal', values: { n: 1 } }]
    })
    expect(await pageScript.check(waiting)).toMatchObject({
      verdict: 'unknownKey',
      findings: [{ id: 'report.check.earlierSeal' }, { id: 'report.check.openAfterSeal' }]
    })
  })
})

describe('A report in which secrets are blacked out', () => {
  const redact = (text: string): string => text.replace(/^Seen for identity$/, '[hidden]')

  it('is proved by the seal all the same: what is left out by its salted hash, and without the salt by which to guess it', async () => {
    const job = await makeSealedJob(own.sign)
    const report = await makeJsonReport({ ...job, ...meta, sign: own.sign, redact })
    const [entry] = job.entries.filter(({ type }) => type === 'evidence')
    expect(JSON.parse(report)).toMatchObject({
      redactedEntries: [entry!.seq],
      redactions: [{ seq: entry!.seq, hidden: { what: expect.stringMatching(/^[0-9a-f]{64}$/) as string } }]
    })
    expect(report).not.toContain((entry!.data as { salt: string }).salt)
    expect(verifyJsonReport(report, { knownKeys: [own.publicKey] })).toMatchObject({
      ok: true,
      verdict: 'knownKey',
      findings: [{ id: 'report.check.blackedOut', values: { n: 1 } }]
    })
    expect(await pageScript.check(report)).toMatchObject({
      verdict: 'unknownKey',
      findings: [{ id: 'report.check.blackedOut' }]
    })
  })

  it('proves the rest also when another computer writes it', async () => {
    const report = await makeJsonReport({ ...(await makeSealedJob(own.sign)), ...meta, sign: stranger.sign, redact })
    expect(verifyJsonReport(report, { knownKeys: [own.publicKey] })).toMatchObject({
      verdict: 'knownKey',
      findings: [{ id: 'report.check.otherWriter' }, { id: 'report.check.blackedOut' }]
    })
    expect(await pageScript.check(report)).toMatchObject({ verdict: 'unknownKey' })
  })

  it('stands under the signature of the report alone where an earlier version sealed the job', async () => {
    const job = await makeSealedJob(own.sign, sealedJobId, 'earlier')
    const report = await makeJsonReport({ ...job, ...meta, sign: own.sign, redact })
    expect(verifyJsonReport(report, { knownKeys: [own.publicKey] })).toMatchObject({
      verdict: 'knownKey',
      findings: [{ id: 'report.check.blackedOutEarlier' }, { id: 'report.check.earlierSeal' }]
    })
    const elsewhere = await makeJsonReport({ ...job, ...meta, sign: stranger.sign, redact })
    expect(verifyJsonReport(elsewhere, { knownKeys: [own.publicKey] })).toMatchObject({
      verdict: 'changed',
      findings: [{ id: 'report.check.blackedOutUnproved' }]
    })
    expect(await pageScript.check(elsewhere)).toMatchObject({ verdict: 'changed' })
  })

  it('cannot be verified without what decides: a secret there is blacked out, and the report says so', async () => {
    const report = await makeJsonReport({
      ...(await makeSealedJob(own.sign)),
      ...meta,
      sign: own.sign,
      redact: (text) => text.replaceAll('Customer One', '[hidden]')
    })
    expect(report).not.toContain('Customer One')
    expect(verifyJsonReport(report, { knownKeys: [own.publicKey] })).toMatchObject({
      verdict: 'changed',
      findings: expect.arrayContaining([
        expect.objectContaining({ id: 'report.check.decisionBlackedOut', values: { entry: 1 } })
      ]) as unknown[]
    })
    expect(await pageScript.check(report)).toMatchObject({ verdict: 'changed' })
  })
})

describe('The page beside a report', () => {
  it('carries the report letter by letter, in the words of its reader, and verifies at the terminal as well', () => {
    const spanish = makeSealPage(text, createTexts({ language: 'es', timeZone: 'UTC' }), false)
    expect(spanish).toContain('Comprobación del sello')
    const html = makeSealPage(text, texts, false)
    expect(openSealPage(html)).toEqual({ report: text, isOurs: true })
    expect(verifyJsonReport(html)).toMatchObject({ ok: true, findings: [{ id: 'report.check.keyNotLookedUp' }] })
    expect(openSealPage(text)).toBeUndefined()
  })

  it('is told from one that somebody dressed up around the same report', () => {
    const html = makeSealPage(text, texts, false)
    expect(verifyJsonReport(html.replace('<script>', "<script>document.title = 'The seal is valid';"))).toMatchObject({
      ok: false,
      verdict: 'changed',
      findings: [{ id: 'report.check.otherPage' }]
    })
    expect(verifyJsonReport(html.replace('"value": 11', '"value": 12')).ok).toBe(false)
  })
})
