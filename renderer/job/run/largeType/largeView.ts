import type { InputProof } from '../../../../preload/contract/job/jobSeen.ts'
import type { Evidence, Meter, Step, Witness } from '../../../../preload/contract/job/jobs.ts'
import { isOn, type LinesStory } from '../../../../preload/job/linesStory.ts'
import type { Shape } from '../../../base/ui/status.ts'
import type { HeardStep } from '../../../base/shell/jobs.store.ts'
import { needsPerson } from '../../../base/shell/jobStage.ts'

/** More turns than this are a number only. */
const mostTurns = 5
/** More steps than this are not shown as dots: those around the current one are. */
const mostDots = 14

export interface Turns {
  done: number
  total: number
}

/** What a running step shows in the largest type: one value, and the turns or the value beside it. */
export interface LargeReading {
  main: Meter | null
  beside: Meter | null
  turns: Turns | null
  input: InputProof | null
}

/**
 * The input that the person operates: one that bounces, else the one that moves, else the first that has not moved
 * enough.
 */
export function inputToMove(inputs: readonly InputProof[]): InputProof | null {
  const open = inputs.filter(
    ({ isChattering, cycles, wantedCycles, notWired }) => !notWired && (isChattering || cycles < wantedCycles)
  )
  const isMoving = ({ cycles, isOn }: InputProof) => cycles > 0 || isOn === true
  return (
    open.find(({ isChattering }) => isChattering) ??
    open.find(isMoving) ??
    open.find(({ isOrdered }) => isOrdered) ??
    null
  )
}

/** The value of a running step, from its meters; the time left is shown elsewhere. */
export function readingOf(step: Pick<Step, 'kind'>, live: Pick<HeardStep, 'meters' | 'inputs'> | null): LargeReading {
  const input = step.kind === 'inputs' ? inputToMove(live?.inputs ?? []) : null
  if (input)
    return {
      main: null,
      beside: null,
      turns: { done: Math.min(input.cycles, input.wantedCycles), total: input.wantedCycles },
      input
    }
  const meters = (live?.meters ?? []).filter(({ label }) => label.id !== 'meters.timeLeft')
  const counted = meters.find(({ value }) => value?.id === 'meters.of' && Number(value.values['total']) <= mostTurns)
  const [main = null, beside = null] = meters.filter((meter) => meter !== counted)
  const turns = counted?.value
    ? { done: Number(counted.value.values['n']), total: Number(counted.value.values['total']) }
    : null
  return { main, beside: turns ? null : beside, turns, input: null }
}

/** The steps around the current one, as many as there is room for. */
export function dotsAround(steps: readonly Step[], current: string): readonly Step[] {
  if (steps.length <= mostDots) return steps
  const at = steps.findIndex(({ id }) => id === current)
  const from = Math.min(Math.max(0, at - mostDots / 2), steps.length - mostDots)
  return steps.slice(from, from + mostDots)
}

/** What one witness says about the step: its latest words, or why there are none. */
export interface WitnessView {
  witness: Witness
  shape: Shape
  /** Words of the witness; null: nothing was said, and `silence` says why. */
  says: Evidence['what'] | 'on' | 'off' | null
  silence: 'notAsked' | 'notYet' | 'asked' | null
  /** When it was said; null: now, or never. */
  at: string | null
  /** An input: its words have another gender than those of the ignition in some languages. */
  isInput?: boolean
  /** For a reading of a line: how long ago it was read. */
  ageMs: number | null
}

const lineOfKind: Partial<Record<Step['kind'], string>> = { ignition: 'IGN', externalPower: 'PWR' }

function latestOf(evidence: readonly Evidence[], witness: Witness, attempt: number): Evidence | undefined {
  return evidence.findLast((one) => one.witness === witness && one.attempt === attempt)
}

/** The shape beside the words of a witness: only a step that passed by it is green, and only a compared one passed. */
function shapeOf({ state, witness: by }: Pick<Step, 'state' | 'witness'>, witness: Witness): Shape {
  if (state === 'running') return 'live'
  return by.includes(witness) && (state === 'pass' || state === 'received' || state === 'warn') ? state : 'none'
}

/** Device, gateway and person, each with what it last said about this step in this attempt. */
export function witnessesOf(
  step: Step,
  live: HeardStep | null,
  lines: LinesStory | null,
  isOld: boolean
): WitnessView[] {
  const isRunning = step.state === 'running'
  const line = isRunning ? (readingOf(step, live).input?.line ?? lineOfKind[step.kind]) : undefined
  const isLineOn = line === undefined ? undefined : isOn(lines, line)
  return (['device', 'gateway', 'person'] as const).map((witness): WitnessView => {
    if (witness === 'device' && typeof isLineOn === 'boolean') {
      const ageMs = typeof lines?.readMs === 'number' ? Math.max(0, lines.nowMs - lines.readMs) : null
      return {
        witness,
        shape: isOld ? 'defer' : 'live',
        says: isLineOn ? 'on' : 'off',
        isInput: step.kind === 'inputs',
        silence: null,
        at: null,
        ageMs: isOld ? null : ageMs
      }
    }
    if (witness === 'person' && isRunning && needsPerson(live))
      return { witness, shape: 'live', says: null, silence: 'asked', at: null, ageMs: null }
    const said = latestOf(step.evidence, witness, step.attempts)
    if (said)
      return {
        witness,
        shape: isOld && witness === 'device' ? 'defer' : shapeOf(step, witness),
        says: said.what,
        silence: null,
        at: said.at,
        ageMs: null
      }
    if (witness === 'gateway' && (step.state === 'deferred' || live?.say.id === 'gatewayLine.waiting'))
      return { witness, shape: 'defer', says: null, silence: 'notYet', at: null, ageMs: null }
    return {
      witness,
      shape: 'none',
      says: null,
      silence: isRunning && witness !== 'person' ? 'notYet' : 'notAsked',
      at: null,
      ageMs: null
    }
  })
}

/**
 * The size of a text in units of the window, so that it fits its place: the first row whose length it does not exceed.
 */
export function sizeFor(text: string, sizes: readonly (readonly [mostCharacters: number, size: number])[]): number {
  return (sizes.find(([most]) => text.length <= most) ?? sizes.at(-1))?.[1] ?? 28
}
