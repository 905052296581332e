import type { InputProof } from '../../../../preload/contract/job/jobSeen.ts'
import type { StepOf } from '../../../../preload/contract/job/steps/index.ts'
import type { LineChange, LineName, LineRecorder } from '../../../device/client/lineRecorder.ts'
import { steadyOf } from '../../../device/client/steadyLine.ts'
import { chatterOf as chatterOfTimes } from '../../../../preload/base/signals/chatter.ts'

export const inputNames = ['IN1', 'IN2', 'IN3', 'IN4', 'IN5', 'IN6', 'IN7'] as const satisfies readonly LineName[]
export type InputName = (typeof inputNames)[number]

/** So many drops of a moment are a loose contact, or a hand that does not hold the switch. */
const looseDrops = 3

/**
 * The number of times that a line left its rest value and returned: two steady changes each, whichever value is at
 * rest.
 */
export function countCycles(story: readonly LineChange[]): number {
  return Math.max(0, Math.floor((steadyOf(story).levels.length - 1) / 2))
}

/** It changes faster than a hand, or drops out for a moment again and again. */
export function isUnsteady(story: readonly LineChange[]): boolean {
  return isChatter(story.slice(1)) || steadyOf(story).drops.length >= looseDrops
}

export function isChatter(changes: readonly LineChange[]): boolean {
  return chatterOf(changes) !== null
}

/** The burst in which a line changed faster than a person can switch. */
export function chatterOf(changes: readonly LineChange[]): { changes: number; forMs: number } | null {
  return chatterOfTimes(changes.map(({ atMs }) => atMs))
}

export interface ProofRequest {
  lines: Pick<LineRecorder, 'changes' | 'latest' | 'story'>
  wantedCycles: number
  /** Undefined: nothing is ordered, and each input that moves counts as wired. */
  ordered: readonly InputName[] | undefined
  gateway: ReadonlyMap<InputName, Pick<InputProof, 'gateway' | 'gatewayAfterMs'>>
  wires: StepOf<'inputs'>['wires']
  /** Left out, and the reason. */
  notWired: ReadonlyMap<InputName, string>
}

/** What each input has confirmed: the ordered ones, and any other that moved. */
export function proofOfInputs({ lines, wantedCycles, ordered, gateway, wires, notWired }: ProofRequest): InputProof[] {
  return inputNames
    .map((line): InputProof => {
      const changes = lines.changes(line)
      return {
        line,
        ...wires?.[line],
        cycles: countCycles(lines.story(line)),
        wantedCycles,
        isOn: lines.latest()?.value[line] ?? null,
        isChattering: isUnsteady(lines.story(line)),
        chatter: chatterOf(changes),
        isOrdered: ordered?.includes(line) ?? false,
        notWired: notWired.get(line) ?? null,
        ...(gateway.get(line) ?? { gateway: null })
      }
    })
    .filter(({ line, isOrdered }) => isOrdered || lines.changes(line as InputName).length > 0)
}

/** `IN1, IN3`, or none; undefined when the text names nothing. */
export function readChoice(text: string): InputName[] | 'none' | undefined {
  if (/^(none|ninguna|-)?$/i.test(text.trim())) return 'none'
  const named = inputNames.filter((name) =>
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .includes(name)
  )
  return named.length > 0 ? named : undefined
}
