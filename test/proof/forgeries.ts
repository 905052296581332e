import { verifyJsonReport } from '../../main/job/reports/verify.ts'
import { fingerprintOf, unsigned } from '../../main/data/store/jobs/signature.ts'
import { chooser } from '../world/data/anyBytes.ts'
import {
  askBoth,
  chain,
  chainFrom,
  followLog,
  hashAgain,
  makeOriginals,
  own,
  pageScript,
  sealAgain,
  signAgain,
  stranger,
  write,
  type ForgedDocument,
  type Originals
} from '../world/data/forgeries.ts'
import { forgeries, spellings } from '../world/data/forgeryKinds.ts'

type Choose = (n: number) => number

export interface ForgeriesResult {
  seed: number
  tried: number
  /** What the command or the page took for a report of the key. */
  accepted: string[]
  /** Where the command and the page did not say the same. */
  differing: string[]
}

/**
 * The listed forgeries, and reports with anything changed at random and made to fit again as far as that is possible
 * without the key.
 */
export async function proveForgeries(runs: number, seed: number): Promise<ForgeriesResult> {
  const choose = chooser(seed)
  const originals = await makeOriginals()
  const accepted: string[] = []
  const differing: string[] = []
  async function judge(text: string, story: string, isAllowed: (remarks: string[]) => boolean): Promise<void> {
    const check = verifyJsonReport(text, { knownKeys: [own.publicKey] })
    const isOwn = check.verdict === 'knownKey' && !isAllowed(check.findings.map(({ id }) => id))
    if (isOwn) accepted.push(`by the command: ${story}`)
    const { page, command } = await askBoth(text)
    const shown = await pageScript.check(text)
    if (
      shown.ok &&
      shown.seal?.fingerprint === fingerprintOf(own.publicKey) &&
      !isAllowed(shown.findings.map(({ id }) => id))
    )
      accepted.push(`by the page: ${story}`)
    if (JSON.stringify(page) !== JSON.stringify(command)) differing.push(story)
  }
  const listed = runs < forgeries.length + spellings.length ? [] : forgeries
  for (const [name, original, change] of listed) {
    const document = JSON.parse(originals[original]) as ForgedDocument
    await change(document)
    await judge(write(document), name, () => false)
  }
  if (listed.length > 0)
    for (const [name, change] of spellings) await judge(change(originals.elsewhere), name, () => false)
  for (let tried = listed.length === 0 ? 0 : listed.length + spellings.length; tried < runs;) {
    const { text, story, document } = await forge(originals, choose)
    if (Object.values(originals).includes(text)) continue
    tried += 1
    await judge(text, story, (remarks) => document !== undefined && isOriginal(document, originals, remarks))
  }
  return { seed, tried: runs, accepted, differing }
}

/**
 * Nothing else is told than in an original; what only the signature of the document covers is left out or called
 * uncovered.
 */
function isOriginal(document: ForgedDocument, originals: Originals, remarks: string[]): boolean {
  const isWithoutPictures = remarks.includes('report.check.picturesLeftOut')
  const told = ({ version, isTraining, job, log, pictures }: ForgedDocument): string =>
    JSON.stringify({
      version,
      isTraining,
      job: { ...job, operations: [] },
      log,
      ...(isWithoutPictures ? {} : { pictures })
    })
  return (
    remarks.includes('report.check.otherWriter') &&
    Object.values(originals).some((one) => told(JSON.parse(one) as ForgedDocument) === told(document))
  )
}

export function sayForgeries({ seed, tried, accepted, differing }: ForgeriesResult): string {
  return [
    ...accepted,
    ...differing.map((story) => `said otherwise: ${story}`),
    `Forgeries: ${tried} tried, ${accepted.length} accepted; command and page differ in ${differing.length} (seed ${seed})`
  ].join('\n')
}

async function forge(
  originals: Originals,
  choose: Choose
): Promise<{ text: string; story: string; document?: ForgedDocument }> {
  const names = Object.keys(originals) as (keyof Originals)[]
  const name = names[choose(names.length)]!
  if (choose(8) === 0) return { text: respell(originals[name], choose), story: `${name}, other letters` }
  const document = JSON.parse(originals[name]) as ForgedDocument
  const changed = Array.from({ length: 1 + choose(3) }, () => change(document, choose))
  const made: string[] = []
  for (let times = choose(4); times > 0; times -= 1) made.push(await fit(document, choose))
  return {
    document,
    text: write(document),
    story: `${name}, ${changed.join(' and ')}; ${made.join(', ') || 'nothing made to fit'}`
  }
}

const namesOfNothing = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'Approved']

function change(document: ForgedDocument, choose: Choose): string {
  const { job, log } = document
  const step = job.steps[choose(job.steps.length)]!
  const kind = choose(8)
  const at = choose(log.length)
  if (kind === 0) {
    log.splice(at, 1)
    return `entry ${at} removed`
  }
  if (kind === 1) {
    const other = choose(log.length)
    ;[log[at], log[other]] = [log[other]!, log[at]!]
    return `entries ${at} and ${other} swapped`
  }
  if (kind === 2) {
    const fields = Object.keys(job).filter((field) => field !== 'steps')
    const field = fields[choose(fields.length)]!
    return `job.${alter(job as unknown as Record<string, unknown>, field, choose)}`
  }
  if (kind === 3) {
    const fields = Object.keys(step)
    const field = fields[choose(fields.length)]!
    return `step.${alter(step as unknown as Record<string, unknown>, field, choose)}`
  }
  if (kind === 4) {
    const fields = [
      'isTraining',
      'generatedAt',
      'appVersion',
      'language',
      'timeZone',
      'pictures',
      'redactions',
      'redactedEntries',
      'seal',
      'documentSignature',
      'texts'
    ]
    return alter(document as unknown as Record<string, unknown>, fields[choose(fields.length)]!, choose)
  }
  if (kind === 5) {
    const places = [
      document,
      job,
      step,
      job.device,
      log[at]!,
      log[at]!.data,
      document.redactions?.[0],
      document.redactions?.[0]?.hidden,
      document.redactions?.[0]?.salts,
      document.pictures[0],
      log.at(-1)!.data
    ]
    const place = places[choose(places.length)] ?? document
    const name = namesOfNothing[choose(namesOfNothing.length)]!
    Object.defineProperty(place, name, {
      value: [null, {}, 'Approved', 7][choose(4)],
      enumerable: true,
      configurable: true,
      writable: true
    })
    return `${name} put somewhere`
  }
  const field = ['data', 'data', 'data', 'at', 'type', 'stepId', 'hash'][choose(7)]!
  return `entry ${at}.${alter(log[at] as unknown as Record<string, unknown>, field, choose)}`
}

/** Changes one value somewhere below a field. */
function alter(parent: Record<string, unknown>, field: string, choose: Choose): string {
  const value = parent[field]
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    const key = keys[choose(keys.length)]
    if (key !== undefined) return `${field}.${alter(value as Record<string, unknown>, key, choose)}`
  }
  parent[field] =
    typeof value === 'number'
      ? value + 1
      : typeof value === 'boolean'
        ? !value
        : typeof value === 'string'
          ? otherText(value, choose)
          : 'something'
  return `${field} changed`
}

function otherText(text: string, choose: Choose): string {
  const at = choose(text.length + 1)
  return choose(2) === 0
    ? `${text.slice(0, at)}${choose(10)}${text.slice(at)}`
    : `${text.slice(0, at)}\u0430${text.slice(at + 1)}`
}

/** One of the things that need no key. */
async function fit(document: ForgedDocument, choose: Choose): Promise<string> {
  const ways: [string, () => void | Promise<void>][] = [
    ['chained again', () => chain(document)],
    [
      'chained again from a place on, job made to follow',
      () => {
        chainFrom(document, choose(document.log.length))
        followLog(document)
      }
    ],
    [
      'last entry chained again, job made to follow',
      () => {
        chainFrom(document, document.log.length - 1)
        followLog(document)
      }
    ],
    [
      'a hand-over appended',
      () => {
        document.log.push({
          ...document.log.at(-1)!,
          seq: document.log.length + 1,
          type: 'movedAway',
          stepId: null,
          data: { id: '1', to: 'Forged Ltd', at: '2026-11-20T16:40:00.000Z' } as never
        })
        chainFrom(document, document.log.length - 1)
        followLog(document)
      }
    ],
    ['job made to follow', () => followLog(document)],
    [
      'chained again, job made to follow',
      () => {
        chain(document)
        followLog(document)
      }
    ],
    [
      'all entries called blacked out',
      () => {
        document.redactedEntries = document.log.map(({ seq }) => seq)
      }
    ],
    [
      'called version 3',
      () => {
        document.version = 3
        delete document.redactions
      }
    ],
    [
      'called version 4',
      () => {
        document.version = 4
      }
    ],
    [
      'signed by another key',
      async () => {
        Object.assign(document, await signAgain(document, stranger.sign))
      }
    ],
    ['sealed by another key', () => sealAgain(document, stranger.sign).catch(() => undefined)],
    [
      'signature taken away',
      () => {
        document.documentSignature = unsigned
        delete document.texts
        document.job.operations = []
      }
    ],
    [
      'seal taken away',
      () => {
        document.log = document.log.filter(({ type }) => type !== 'sealed')
      }
    ]
  ]
  const [name, make] = ways[choose(ways.length)]!
  await make()
  return name
}

/** Other letters for what a program reads as the same. */
function respell(text: string, choose: Choose): string {
  const body = text.slice(0, text.lastIndexOf('  "documentHash"'))
  const lines = body.split('\n')
  const at = choose(lines.length - 1)
  const line = lines[at]!
  const forms = [
    `${line} `,
    ` ${line}`,
    `${line}\n${line}`,
    line.replace(/: (\d+)/, ': $1.0'),
    line.replace(/[a-z](?=")/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
    line.replace(': ', ':')
  ]
  lines[at] = forms[choose(forms.length)]!
  return hashAgain(lines.join('\n'))
}
