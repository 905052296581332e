import { z } from 'zod'
import type { Message } from '../../../../preload/contract/messages.ts'
import { createFormatter } from '../../../../preload/base/messages/formatter.ts'
import type { ReaderSettings } from '../../../../preload/base/messages/settings.ts'
import { checkReport, sayVerdict, type ReportCheck, type ReportVerdict } from '../checkReport.ts'
import { answerSignatures, sha256Hex } from './hashing.ts'

/*
 * Runs in the page beside a report: checks the report in it with the same code as `fitter job verify`, without any
 * network, and shows what it contains. No key is known here.
 */

// The page forbids code that is made while it runs.
z.config({ jitless: true })

export interface PageWords {
  settings: ReaderSettings
  /** The texts by id: those of the page, and of everything that the check can say about this report. */
  texts: Record<string, string>
}

interface ShownReport {
  job: {
    id: string
    vehicleText: string
    device: { imei: string }
    vehicle: { name: string } | null
    steps: ShownStep[]
  }
  log: { seq: number; at: string; type: string; stepId: string | null; data: Record<string, unknown> | null }[]
  seal: string
  texts?: {
    steps: {
      id: string
      title: string
      state: string
      summary: string
      evidence: { seq: number; what: string; limits: string }[]
    }[]
  }
  pictures?: { sha256: string; mediaType: string; base64: string }[]
}
interface ShownStep {
  id: string
  state: string
  waiver: { by: string; reason: string } | null
  evidence: {
    seq: number
    at: string
    witness: string
    attempt: number
    raw: unknown
    clocks?: { device: string | null; gateway: string | null }
  }[]
}

export async function check(text: string): Promise<ReportCheck> {
  for (;;) {
    const result = checkReport(text, { knownKeys: [] })
    // The first round asks for the signatures; a round that asks for none has all of them.
    if (!(await answerSignatures())) return result
  }
}

export function makeSay({ settings, texts }: PageWords): (message: Message) => string {
  return createFormatter(settings, (id) => (Object.hasOwn(texts, id) ? texts[id] : undefined))
}

/** What `fitter job verify` says of the same report on a computer that does not know its key. */
export function sentencesOf(result: ReportCheck, say: (message: Message) => string): string[] {
  return [sayVerdict(result), ...result.findings].map(say)
}

const states: Record<ReportVerdict, 'holds' | 'hashOnly' | 'notSealed' | 'broken'> = {
  knownKey: 'holds',
  unknownKey: 'holds',
  hashesOnly: 'hashOnly',
  notSealed: 'notSealed',
  changed: 'broken'
}

function element(name: string, text: string | null, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(name)
  if (text !== null) made.textContent = text
  made.append(...children)
  return made
}

/** An element of the page that makeSealPage writes. */
function part<Part extends HTMLElement = HTMLElement>(id: string): Part {
  return document.getElementById(id) as Part
}

async function showPage(): Promise<void> {
  const sayMessage = makeSay(JSON.parse(part('words').textContent ?? '') as PageWords)
  const say = (name: string, values: Message['values'] = {}): string => sayMessage({ id: `sealPage.${name}`, values })
  const main = part('result')
  if (!(globalThis.crypto as Crypto | undefined)?.subtle) {
    main.dataset['state'] = 'cannot'
    return main.replaceChildren(element('h1', say('cannot')), element('p', say('cannotText')))
  }
  const text = (part('report').textContent ?? '').replace(/^\n/, '')
  const result = await check(text)
  const [verdict = '', ...findings] = sentencesOf(result, sayMessage)
  const state = states[result.verdict]
  main.replaceChildren(element('h1', say(state)), element('p', verdict))
  if (findings.length > 0) main.append(element('ul', null, ...findings.map((finding) => element('li', finding))))
  main.dataset['state'] = state
  if (result.seal) showReport(JSON.parse(text) as ShownReport, result, say)
}

type Say = (name: string, values?: Message['values']) => string

function showReport(report: ShownReport, { seal }: ReportCheck, say: Say): void {
  const grouped = (hash: string): string => (hash.match(/.{4}/g) ?? []).join(' ')
  const fact = (label: string, value: string, isCode = false): void =>
    part('facts').append(element('dt', label), element('dd', null, element(isCode ? 'code' : 'span', value)))
  fact(say('job'), report.job.id)
  fact(say('device'), report.job.device.imei)
  fact(say('vehicle'), report.job.vehicle?.name ?? report.job.vehicleText)
  fact(say('sealedAt'), seal?.at ?? '–')
  fact(say('seal'), grouped(report.seal), true)
  fact(say('fingerprint'), seal?.fingerprint ? grouped(seal.fingerprint) : say('noKey'), true)
  showSteps(report, say)
  for (const { sha256, mediaType, base64 } of report.pictures ?? []) {
    if (!/^image\/(jpeg|png)$/.test(mediaType)) continue
    const picture = document.createElement('img')
    picture.src = `data:${mediaType};base64,${base64}`
    picture.alt = sha256.slice(0, 16)
    part('pictures').append(element('figure', null, picture, element('figcaption', grouped(sha256.slice(0, 16)))))
  }
  for (const { seq, at, type, stepId, data } of report.log)
    part('log').append(
      element('p', `${seq} · ${at} · ${type}${stepId ? ` · ${stepId}` : ''}`),
      element('pre', JSON.stringify(data))
    )
  const originals = new Map(
    report.log
      .filter(({ type }) => type === 'attached')
      .flatMap(({ data, seq }) => [data?.['sha256'], data?.['reportSha256']].map((hash) => [hash, seq] as const))
  )
  const picker = part<HTMLInputElement>('photo')
  picker.addEventListener('change', async () => {
    const file = picker.files?.[0]
    if (!file) return
    const entry = originals.get(sha256Hex(new Uint8Array(await file.arrayBuffer())))
    part('photoResult').textContent =
      entry === undefined ? say('photoOther') : say('photoOurs', { entry: String(entry) })
  })
  part('rest').hidden = false
}

function showSteps({ job, texts }: ShownReport, say: Say): void {
  const inWords = new Map((texts?.steps ?? []).map((step) => [step.id, step]))
  for (const { id, state, waiver, evidence } of job.steps) {
    const words = inWords.get(id)
    const section = element(
      'section',
      null,
      element('h2', `${words?.title ?? id}: ${words?.state ?? state}`),
      element('p', words?.summary ?? '')
    )
    if (waiver) section.append(element('p', say('skipped', { by: waiver.by, reason: waiver.reason })))
    for (const { seq, at, clocks, witness, attempt, raw } of evidence) {
      const said = words?.evidence.find((one) => one.seq === seq)
      const times = [
        `${say('clockComputer')} ${at}`,
        ...(clocks?.device ? [`${say('clockDevice')} ${clocks.device}`] : []),
        ...(clocks?.gateway ? [`${say('clockGateway')} ${clocks.gateway}`] : [])
      ]
      section.append(
        element(
          'article',
          null,
          element('p', said?.what ?? '', element('b', ` ${say(`witness.${witness}`)}`)),
          ...(said?.limits ? [element('p', `${say('limits')} ${said.limits}`)] : []),
          element('small', `${times.join(' · ')} · ${say('entry', { entry: String(seq), attempt: String(attempt) })}`),
          element('pre', JSON.stringify(raw, null, 1))
        )
      )
    }
    part('steps').append(section)
  }
}

if ((globalThis as { document?: Document }).document) {
  showPage().catch((error: unknown) => {
    part('result').dataset['state'] = 'broken'
    part('result').replaceChildren(element('p', String(error)))
  })
}
