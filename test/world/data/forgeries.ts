import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { projectFolder } from '../../../bin/build.ts'
import { createTexts } from '../../../main/base/messages/texts.ts'
import { sayVerdict, type ReportVerdict } from '../../../main/job/reports/checkReport.ts'
import { makeJsonReport } from '../../../main/job/reports/json.ts'
import type { PageWords } from '../../../main/job/reports/pageScript/page.ts'
import { documentText, escapeFragile } from '../../../main/job/reports/reportForm.ts'
import { makeSealPage } from '../../../main/job/reports/sealPage.ts'
import { verifyJsonReport } from '../../../main/job/reports/verify.ts'
import { sealEntry, sha256Hex, startHash, type JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { fieldsOfLog, type Redaction } from '../../../main/data/store/jobs/sealedFields.ts'
import { sealText, type Signature } from '../../../main/data/store/jobs/signature.ts'
import type { Job } from '../../../preload/contract/job/jobs.ts'
import { jobOf, makeSealedJob, makeSigner, sealedJobId } from './sealedJob.ts'

/** The content of a JSON report, as a forger edits it. */
export interface ForgedDocument {
  version: number
  generatedAt: string
  isTraining: boolean
  texts?: { verdict: string; steps: { summary: string }[] } | undefined
  job: Job
  log: (JournalEntry & { data: Record<string, never> })[]
  redactedEntries: number[]
  redactions?: Redaction[]
  seal: string
  pictures: { sha256: string; mediaType: string; base64: string }[]
  documentSignature?: Signature
}

/** The key of this computer, and that of a forger. */
export const own = makeSigner()
export const stranger = makeSigner()

const meta = {
  generatedAt: '2026-11-20T17:00:00.000Z',
  appVersion: '0.1.0',
  texts: createTexts({ language: 'en', timeZone: 'UTC' }),
  isTraining: false
}

/** Blacks out what was seen for one step. */
export const redactIdentity = (text: string): string => text.replace(/^Seen for identity$/, '[hidden]')

const photos = ['the first photo', 'the second photo'].map((text) => Buffer.from(text))
const pictures = photos.map((photo) => ({
  sha256: sha256Hex(photo),
  mediaType: 'image/jpeg',
  base64: photo.toString('base64')
}))

/** Reports of Fitter, each of one kind, that a forger begins with. */
export async function makeOriginals() {
  const job = await makeSealedJob(own.sign)
  const earlier = await makeSealedJob(own.sign, sealedJobId, 'earlier')
  const pictured = await makeSealedJob(own.sign, sealedJobId, 'now', { pictures: photos })
  return {
    whole: await makeJsonReport({ ...job, ...meta, sign: own.sign }),
    redacted: await makeJsonReport({ ...job, ...meta, sign: own.sign, redact: redactIdentity }),
    /** Written by a computer without the key of the seal. */
    elsewhere: await makeJsonReport({ ...job, ...meta, sign: stranger.sign, redact: redactIdentity }),
    earlier: await makeEarlierReport(earlier.entries),
    pictures: await makeJsonReport({ ...pictured, ...meta, pictures, sign: own.sign }),
    pictureElsewhere: await makeJsonReport({ ...pictured, ...meta, pictures, sign: stranger.sign }),
    practice: await makeJsonReport({
      ...(await makeSealedJob(own.sign, sealedJobId, 'now', { isTraining: true })),
      ...meta,
      isTraining: true,
      sign: own.sign
    }),
    /** Handed over after it was sealed. */
    moved: await makeJsonReport({
      ...(await makeSealedJob(own.sign, sealedJobId, 'now', { isMoved: true })),
      ...meta,
      sign: own.sign
    }),
    /** Of another job, by a computer without the key of its seal. */
    other: await makeJsonReport({
      ...(await makeSealedJob(own.sign, '01JD2F7Q3XW9V6M0KZ4T8B5HCP')),
      ...meta,
      sign: stranger.sign
    })
  }
}
export type Originals = Awaited<ReturnType<typeof makeOriginals>>

/** As version 3 wrote it: a text was blacked out inside of an entry, whose hash is that of the original. */
async function makeEarlierReport(entries: readonly JournalEntry[]): Promise<string> {
  const log = structuredClone(entries) as ForgedDocument['log']
  const entry = log.find(({ type }) => type === 'evidence')!
  ;(entry.data as Record<string, unknown>)['what'] = { id: 'plain.text', values: { text: '[hidden]' } }
  const { redactions: _redactions, ...document } = JSON.parse(
    await makeJsonReport({ job: jobOf(sealedJobId, log), entries: log, ...meta })
  ) as ForgedDocument
  return write(await signAgain({ ...document, version: 3, redactedEntries: [entry.seq] }, own.sign))
}

/** The file of a document, with a document hash that fits. */
export function write(document: ForgedDocument): string {
  const { documentHash: _hash, ...rest } = document as ForgedDocument & { documentHash?: string }
  return hashAgain(`${escapeFragile(JSON.stringify(rest, null, 2)).slice(0, -2)},\n`)
}

/** A file with a document hash that matches the content before it. */
export function hashAgain(body: string): string {
  return `${body}  "documentHash": "${sha256Hex(body)}"\n}\n`
}

/** A file with one text replaced, and a document hash that fits. Throws where the text does not occur. */
export function replaceText(text: string, from: string | RegExp, to: string): string {
  const body = text.slice(0, text.lastIndexOf('  "documentHash"'))
  const forged = body.replace(from, to)
  if (forged === body) throw new Error(`${String(from)} is not in the report`)
  return hashAgain(forged)
}

export async function signAgain(
  document: ForgedDocument,
  sign: (text: string) => Promise<Signature>
): Promise<ForgedDocument> {
  const {
    documentHash: _hash,
    documentSignature: _signature,
    ...rest
  } = document as ForgedDocument & { documentHash?: string }
  return { ...rest, documentSignature: await sign(documentText(rest)) }
}

/** The log with hashes that fit again, from its start. */
export function chain(document: ForgedDocument): void {
  let previous = startHash(document.job.id)
  document.log = document.log.map(({ hash: _hash, ...entry }) => {
    const sealed = sealEntry(previous, entry)
    previous = sealed.hash
    return sealed as ForgedDocument['log'][number]
  })
  document.seal = previous
}

/**
 * The same from one entry on: those before it keep their hashes, as what is blacked out in them cannot be hashed again.
 */
export function chainFrom(document: ForgedDocument, from: number): void {
  let previous = document.log[from - 1]?.hash ?? startHash(document.job.id)
  document.log = document.log.map((entry, index) => {
    if (index < from) return entry
    const { hash: _hash, ...rest } = entry
    const sealed = sealEntry(previous, rest)
    previous = sealed.hash
    return sealed as ForgedDocument['log'][number]
  })
  document.seal = previous
}

/** The job as the log now tells it, where it can still be read. */
export function followLog(document: ForgedDocument): void {
  try {
    document.job = JSON.parse(JSON.stringify(jobOf(document.job.id, document.log))) as Job
  } catch {
    document.job = { ...document.job, seal: document.seal }
  }
}

/** All of the log and its seal made again, by a key of the forger's. */
export async function sealAgain(document: ForgedDocument, sign: (text: string) => Promise<Signature>): Promise<void> {
  document.log = document.log
    .filter(({ type }) => type !== 'sealed')
    .map((entry, index) => ({ ...entry, seq: index + 1 }))
  chain(document)
  const { id } = document.job
  const claim = {
    head: document.seal,
    entries: document.log.length,
    at: '2026-11-20T16:30:00.000Z',
    fields: fieldsOfLog(id, document.log)
  }
  const data = { ...claim, ...(await sign(sealText({ job: id, ...claim }))) }
  document.log.push(
    sealEntry(document.seal, {
      seq: document.log.length + 1,
      at: claim.at,
      type: 'sealed',
      stepId: null,
      data
    }) as ForgedDocument['log'][number]
  )
  document.seal = document.log.at(-1)!.hash
  followLog(document)
}

/** The script of the page, in the WebCrypto that browsers have too. */
export const pageScript = runInNewContext(
  `${readFileSync(join(projectFolder, 'out', 'sealPage', 'page.js'), 'utf8')}; sealCheck`,
  { crypto, TextEncoder, atob }
) as typeof import('../../../main/job/reports/pageScript/page.ts')

export interface Answer {
  verdict: ReportVerdict
  sentences: string[]
}

/**
 * What the page beside a report shows, and what the command says of the same report on a computer that knows no key.
 */
export async function askBoth(text: string, language = 'en'): Promise<{ page: Answer; command: Answer }> {
  const texts = createTexts({ language, timeZone: 'UTC' })
  const [, words = ''] = /id="words">(.*?)<\/script>/s.exec(makeSealPage(text, texts, false)) ?? []
  const shown = await pageScript.check(text)
  const said = verifyJsonReport(text, { knownKeys: [] })
  return {
    page: {
      verdict: shown.verdict,
      sentences: [...pageScript.sentencesOf(shown, pageScript.makeSay(JSON.parse(words) as PageWords))]
    },
    command: { verdict: said.verdict, sentences: [sayVerdict(said), ...said.findings].map(texts.say) }
  }
}
