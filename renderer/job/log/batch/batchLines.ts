import type { SeenDevice } from '../../../../preload/contract/device/discovery.ts'
import type { ListedJob } from '../../../../preload/contract/job/jobs.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { OrderLine } from '../../../../preload/contract/job/orders.ts'
import { isRefused, maySignIn } from '../../../device/devices/standings.ts'

/** One line of a batch: its content in the file, its job, or the reason why there is none. */
export interface BatchLine {
  /** In walking order: the order of the file. */
  place: number
  order: OrderLine
  job: ListedJob | null
  phase: 'waiting' | 'queued' | 'beginning' | 'begun' | 'notBegun'
  why: Message | null
  /** The current questions of its job, by step. */
  asks: ReadonlyMap<string, Message>
  /** The person's answer where the device has an open job with other work. */
  openJob?: OpenJobAnswer | undefined
  /** Since when the oldest of them is open. */
  askedAt?: string | undefined
}

/** What becomes of the open job of the line's device: it continues instead of the line's own, or stays open beside it. */
export const openJobAnswers = ['keep', 'new'] as const
export type OpenJobAnswer = (typeof openJobAnswers)[number]

/** What a person sees of a line: those that need someone first. */
export const batchGroups = ['asks', 'problem', 'working', 'later', 'waiting', 'done'] as const
export type BatchGroup = (typeof batchGroups)[number]

export type BatchStanding = 'waiting' | 'working' | 'asks' | 'done' | 'left' | 'notBegun'

export function standingOf({ job, phase, asks }: BatchLine): BatchStanding {
  if (job?.state === 'done' || job?.state === 'installedAwaitingGateway') return 'done'
  if (phase === 'notBegun') return 'notBegun'
  if (phase === 'beginning') return 'working'
  if (phase === 'waiting' || phase === 'queued' || !job) return 'waiting'
  if (asks.size > 0) return 'asks'
  return job.isActive ? 'working' : 'left'
}

export function groupOf(line: BatchLine): BatchGroup {
  if (line.job?.state === 'installedAwaitingGateway') return 'later'
  const standing = standingOf(line)
  return standing === 'left' || standing === 'notBegun' ? 'problem' : standing
}

/** Those that need someone first, and each group in walking order. */
export function inOrder(lines: readonly BatchLine[], findings: ReadonlyMap<number, unknown> = new Map()): BatchLine[] {
  const rank = (line: BatchLine) => batchGroups.indexOf(findings.has(line.place) ? 'problem' : groupOf(line))
  return [...lines].sort((one, other) => rank(one) - rank(other) || one.place - other.place)
}

/** Why a line cannot begin as it is: known before anything is sent. */
export type BatchFinding =
  'noDevice' | 'noChecklist' | 'twice' | 'notFound' | 'refused' | 'needsSignIn' | 'incomplete' | 'openJob'

/**
 * Checks every line of the table against the checklists, the devices nearby and the open jobs. Lines without a finding
 * are left out. By place, `otherJobs`: the open job of the line's device that does other work than the line orders;
 * `lacking`: what its order still lacks.
 */
export function checkLines(
  lines: readonly BatchLine[],
  devices: readonly SeenDevice[],
  templates: readonly string[],
  templateId: string,
  { otherJobs, lacking }: { otherJobs: ReadonlyMap<number, ListedJob>; lacking: ReadonlyMap<number, string> }
): Map<number, BatchFinding> {
  const findings = new Map<number, BatchFinding>()
  const keys = new Map<string, number>()
  for (const line of lines) {
    if (line.phase !== 'waiting' || line.job) continue
    const { device: named, template } = line.order
    const device = named.trim() === '' ? undefined : deviceOfLine(devices, named)
    const key = device?.key ?? named.trim().toLowerCase()
    const isTwice = key !== '' && keys.has(key)
    keys.set(key, line.place)
    const finding =
      named.trim() === ''
        ? 'noDevice'
        : !templates.includes(template || templateId)
          ? 'noChecklist'
          : isTwice
            ? 'twice'
            : !device || device.standing === 'lost'
              ? 'notFound'
              : isRefused(device)
                ? 'refused'
                : maySignIn(device)
                  ? 'needsSignIn'
                  : lacking.has(line.place)
                    ? 'incomplete'
                    : otherJobs.has(line.place) && !line.openJob
                      ? 'openJob'
                      : null
    if (finding) findings.set(line.place, finding)
  }
  return findings
}

/**
 * The person's next action while walking through the yard: the first line with a question, else the first unfinished
 * one.
 */
export function nextByHand(lines: readonly BatchLine[]): BatchLine | undefined {
  return lines.find((line) => standingOf(line) === 'asks') ?? lines.find((line) => standingOf(line) === 'left')
}

export function canRetry(line: BatchLine): boolean {
  const standing = standingOf(line)
  return standing === 'left' || standing === 'notBegun'
}

/** The device for a line, by IMEI, host name or address, among those visible now. */
export function deviceOfLine(devices: readonly SeenDevice[], named: string): SeenDevice | undefined {
  const text = named.trim().toLowerCase()
  return devices.find(
    ({ imei, hostname, addresses, port }) =>
      imei === text ||
      hostname?.toLowerCase() === text.replace(/\.local$/, '') ||
      addresses.some((address) => address === text || `${address}:${port}` === text)
  )
}
