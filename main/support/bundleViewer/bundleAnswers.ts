import type { z } from 'zod'
import { recordedAnswer, type RecordedAnswer } from '../../../preload/contract/support/openedBundle.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { calls, type CallName, type CallOutput } from '../../../preload/contract/index.ts'
import { plainJson } from '../../job/jobs/record/journal.ts'
import { canonicalJson } from '../../data/store/jobs/seal.ts'

/**
 * Recorded answers, checked against the contract when they are read: the file may come from another version, or be
 * forged.
 */
export type Answers = ReturnType<typeof createAnswers>

/** The subject of a question. Other parts (how many, since when) may differ: the answer states its own time. */
const subjects = ['key', 'id', 'vehicleId', 'ids', 'imei', 'jobId'] as const
/** For these questions, the answer depends on every field. */
const exact: ReadonlySet<CallName> = new Set([
  'rawdata.query',
  'triggers.past',
  'gateway.findEntities',
  'photos.open',
  'photos.browse'
])
const mostAnswers = 2_000

export function createAnswers(recorded: readonly Json[]) {
  const byCall = new Map<string, RecordedAnswer[]>()
  for (const one of recorded.slice(0, mostAnswers)) {
    const { success, data } = recordedAnswer.safeParse(one)
    if (success) byCall.set(data.call, [...(byCall.get(data.call) ?? []), data])
  }

  function found(call: CallName, input: unknown): RecordedAnswer | undefined {
    const all = byCall.get(call) ?? []
    const isSame = exact.has(call) ? sameInput : sameSubject
    return all.findLast((one) => isSame(one.input, input))
  }

  return {
    /**
     * The latest answer to a question about the same subject; undefined if no answer fits this version of the contract.
     */
    find<Name extends CallName>(call: Name, input: unknown = {}): CallOutput<Name> | undefined {
      const answer = found(call, input)
      if (!answer) return undefined
      const read = (calls[call].output as z.ZodType).safeParse(answer.output)
      return read.success ? (read.data as CallOutput<typeof call>) : undefined
    },
    readAt: (call: CallName): string | undefined => byCall.get(call)?.at(-1)?.readAt
  }
}

function sameSubject(recorded: Json, asked: unknown): boolean {
  return subjects.every((name) => JSON.stringify(fieldOf(recorded, name)) === JSON.stringify(fieldOf(asked, name)))
}

/** An omitted field means the same as its default. */
function fieldOf(input: unknown, name: string): unknown {
  const value = (input as Record<string, unknown> | null)?.[name]
  return value === null ? undefined : value
}

function sameInput(recorded: Json, asked: unknown): boolean {
  return canonicalJson(recorded) === canonicalJson(plainJson(asked))
}
