import type { SeenDevice } from '../../../../preload/contract/device/discovery.ts'
import type { ListedJob } from '../../../../preload/contract/jobs/jobs.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { OrderLine } from '../../../../preload/contract/jobs/orders.ts'

/** One line of a batch: its content in the file, its job, or the reason why there is none. */
export interface BatchLine {
  /** In walking order: the order of the file. */
  place: number
  order: OrderLine
  job: ListedJob | null
  phase: 'waiting' | 'beginning' | 'begun' | 'notBegun'
  why: Message | null
  /** The current questions of its job, by step. */
  asks: ReadonlyMap<string, Message>
}

export type BatchStanding = 'waiting' | 'working' | 'asks' | 'done' | 'left' | 'notBegun'

export function standingOf({ job, phase, asks }: BatchLine): BatchStanding {
  if (job?.state === 'done' || job?.state === 'installedAwaitingGateway') return 'done'
  if (phase === 'notBegun') return 'notBegun'
  if (phase === 'beginning') return 'working'
  if (phase === 'waiting' || !job) return 'waiting'
  if (asks.size > 0) return 'asks'
  return job.isActive ? 'working' : 'left'
}

/** The person's next action while walking through the yard: the first line with a question, else the first unfinished one. */
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
  return devices.find(({ imei, hostname, addresses, port }) => imei === text || hostname?.toLowerCase() === text.replace(/\.local$/, '') || addresses.some((address) => address === text || `${address}:${port}` === text))
}
