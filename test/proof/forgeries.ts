import { verifyJsonReport } from '../../main/reports/verify.ts'
import { fingerprintOf, unsigned } from '../../main/store/jobs/signature.ts'
import {
  chain,
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
} from '../support/forgeries.ts'

type Choose = (n: number) => number

export interface ForgeriesResult {
  seed: number
  tried: number
  /** What the command or the page took for a report of the key. */
  accepted: string[]
}

/** Reports with anything changed at random, and with everything made to fit again that can be without the key. */
export async function proveForgeries(runs: number, seed: number): Promise<ForgeriesResult> {
  const choose = chooser(seed)
  const originals = await makeOriginals()
  const fingerprint = fingerprintOf(own.publicKey)
  const accepted: string[] = []
  for (let tried = 0; tried < runs;) {
    const { text, story, document } = await forge(originals, choose)
    if (Object.values(originals).includes(text) || (document && isOriginal(document, originals))) continue
    tried += 1
    if (verifyJsonReport(text, { knownKeys: [own.publicKey] }).verdict === 'knownKey')
      accepted.push(`${tried}, by the command: ${story}`)
    const shown = await pageScript.check(text)
    if (shown.state === 'holds' && shown.fingerprint === fingerprint) accepted.push(`${tried}, by the page: ${story}`)
  }
  return { seed, tried: runs, accepted }
}

/** Nothing else is told than in an original, only without what the signature of the document covers. */
function isOriginal(document: ForgedDocument, originals: Originals): boolean {
  const told = ({ version, job, log }: ForgedDocument): string =>
    JSON.stringify({ version, job: { ...job, operations: [] }, log })
  return (
    document.documentSignature?.publicKey === null &&
    Object.values(originals).some((one) => told(JSON.parse(one) as ForgedDocument) === told(document))
  )
}

export function sayForgeries({ seed, tried, accepted }: ForgeriesResult): string {
  return [...accepted, `Forgeries: ${tried} tried, ${accepted.length} accepted (seed ${seed})`].join('\n')
}

/** The same row of numbers for the same seed. */
function chooser(seed: number): Choose {
  let state = seed >>> 0
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
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

/** What a person reads in the page as well: the rest of the job is checked by the command alone. */
const factsOfJob = ['technician', 'customer', 'vehicleText', 'device', 'createdAt', 'state', 'vehicle']
const factsOfStep = ['state', 'summary', 'remedy', 'waiver', 'startedAt', 'evidence']

function change(document: ForgedDocument, choose: Choose): string {
  const { job, log } = document
  const step = job.steps[choose(job.steps.length)]!
  const kind = choose(6)
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
    const field = factsOfJob[choose(factsOfJob.length)]!
    return `job.${alter(job as unknown as Record<string, unknown>, field, choose)}`
  }
  if (kind === 3) {
    const field = factsOfStep[choose(factsOfStep.length)]!
    return `step.${alter(step as unknown as Record<string, unknown>, field, choose)}`
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
