import { z } from 'zod'
import { isoTime } from '../../../../preload/contract/define.ts'
import { storedMessage } from '../../../../preload/contract/base/messageSchema.ts'
import { isMessage, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { DeviceWrite } from '../../../../preload/contract/device/workspace.ts'
import type { HandedOverOperation } from '../../../gateway/waitingWork/handover/handedOver.ts'
import type { JournalEntry } from '../../../data/store/jobs/seal.ts'

export const timelineLine = z.strictObject({
  at: isoTime.max(40),
  /** log: the job's own log; device: a change sent to the device; gateway: work for the gateway. */
  source: z.enum(['log', 'device', 'gateway']),
  kind: z.string().max(80),
  stepId: z.string().max(200).nullable(),
  what: storedMessage
})
export type TimelineLine = z.infer<typeof timelineLine>

/** All events from the job's log, from changes sent to the device, and from gateway work; oldest first. */
export function timelineOf({
  entries,
  writes,
  operations
}: {
  entries: readonly JournalEntry[]
  writes: readonly DeviceWrite[]
  operations: readonly HandedOverOperation[]
}): TimelineLine[] {
  const lines: TimelineLine[] = [
    ...entries.map(({ at, type, stepId, data }): TimelineLine => ({
      at,
      source: 'log',
      kind: type,
      stepId,
      what: wordsOf(data) ?? plainMessage(type)
    })),
    ...writes.map(({ at, operation, detail }): TimelineLine => ({
      at,
      source: 'device',
      kind: operation,
      stepId: null,
      what: detail
    })),
    ...operations.flatMap(({ kind, evidence }) =>
      evidence.map(({ at, what }): TimelineLine => ({ at, source: 'gateway', kind, stepId: null, what }))
    )
  ]
  return lines.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function wordsOf(data: unknown): Message | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  const { what, summary, reason } = data as Record<string, unknown>
  for (const words of [what, summary, reason]) {
    if (isMessage(words)) return words
    if (typeof words === 'string' && words !== '') return plainMessage(words)
  }
  return undefined
}
