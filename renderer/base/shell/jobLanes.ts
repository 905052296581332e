import type { Evidence, Step } from '../../../preload/contract/job/jobs.ts'
import type { LineChange } from '../../../preload/contract/device/lines.ts'
import { changesWithin, voltageWithin } from '../instruments/charts/lanes/measure.ts'
import type { LinesStory } from '../../../preload/job/linesStory.ts'
import type { LanesView, Span } from '../instruments/charts/lanes/view.ts'

type Seen = Pick<Step, 'kind' | 'state' | 'startedAt' | 'durationMs' | 'evidence' | 'attempts'>

const wiredMv = 500
const runningRangeMs = 30_000
const endedRangeMs = 40_000

interface LineKind {
  /** The lines of its step, whatever its title says. */
  names?: string[]
  /** The lines to draw; `wanted` are those that the step names. */
  watched(wanted: readonly string[]): string[]
  /** The expected course of a line, as far as the data shows it. */
  expected?(line: string, step: Seen, story: Pick<LinesStory, 'lines'>): LineChange[] | undefined
  /** Changes of supply, key and engine are named above the lines, and voltages are drawn beside them. */
  isOfSupply?: true
}

/** The kinds of steps with a chart of the lines that provide evidence; inputs have a wave in their rows instead. */
export const lineKinds: { readonly [Kind in Step['kind']]?: LineKind } = {
  externalPower: {
    names: ['PWR'],
    watched: () => ['PWR'],
    expected: (line) => (line === 'PWR' ? [[-Infinity, true]] : undefined),
    isOfSupply: true
  },
  ignition: {
    names: ['IGN'],
    watched: () => ['TIG', 'IGN'],
    expected(line, _step, story) {
      const engine = line === 'IGN' ? (story.lines.get('TIG') ?? []) : []
      return engine.some(([, on]) => on)
        ? engine.map(([atMs, on]): LineChange => [atMs, on === true ? true : null])
        : undefined
    },
    isOfSupply: true
  },
  output: {
    watched(wanted) {
      const outs = [...new Set(wanted.filter((line) => line.startsWith('OUT')))]
      // The output first, with what it acts on below: its effect is seen without scrolling.
      return [...outs, ...outs.map((out) => out.replace('OUT', 'SO')), 'IGN', 'TIG', 'MOT']
    },
    /** On from the command until it was switched off. */
    expected(line, step) {
      if (!line.startsWith('OUT')) return undefined
      const own = step.evidence.filter(({ attempt }) => attempt === step.attempts)
      const changes = own.flatMap((one): LineChange[] =>
        isSaying(one, switchedOn)
          ? [[Date.parse(one.at), true]]
          : isSaying(one, switchedOff)
            ? [[Date.parse(one.at), false]]
            : []
      )
      return changes.length > 0 ? [[-Infinity, false], ...changes] : undefined
    }
  }
}

const switchedOn = ['output.held']
const switchedOff = ['output.offAgain', 'output.watchedOff', 'output.notProvedOff', 'output.goesOffAtOnce']

function isSaying({ what }: Evidence, ids: readonly string[]): boolean {
  return typeof what === 'object' && ids.includes(what.id)
}

/** The voltages beside the lines, if wired. */
export function watchedVoltages({ kind }: Pick<Step, 'kind'>, story: Pick<LinesStory, 'voltages'>): string[] {
  if (!lineKinds[kind]?.isOfSupply) return []
  return ['AN1', 'AN2']
    .filter((name) => (voltageWithin(story.voltages.get(name) ?? [], [-Infinity, Infinity])?.mostMv ?? 0) > wiredMv)
    .slice(0, 1)
}

/**
 * While a step runs, the last half minute; an ended step shows its own period. Null when nothing is known from then.
 */
export function viewOf(step: Seen, story: Pick<LinesStory, 'fromMs'>): LanesView | null {
  if (step.state === 'running' || step.startedAt === null || step.durationMs === null)
    return { rangeMs: runningRangeMs, endMs: null }
  const endMs = Date.parse(step.startedAt) + step.durationMs
  return story.fromMs === null || endMs <= story.fromMs
    ? null
    : { rangeMs: Math.min(endedRangeMs, Math.max(runningRangeMs, step.durationMs + 5_000)), endMs }
}

const markedLines = ['PWR', 'IGN', 'TIG'] as const
const mostMarks = 3

/** The latest changes of supply, key and engine: they explain the other lines. */
export function marksOf(
  step: Seen,
  story: Pick<LinesStory, 'lines'>,
  span: Span
): { line: (typeof markedLines)[number]; on: boolean; atMs: number }[] {
  if (!lineKinds[step.kind]?.isOfSupply) return []
  const marks = markedLines.flatMap((line) =>
    changesWithin(story.lines.get(line) ?? [], span).map(([atMs, on]) => ({ line, on: on === true, atMs }))
  )
  return marks.sort((a, b) => a.atMs - b.atMs).slice(-mostMarks)
}
