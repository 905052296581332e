import type { Evidence, Step } from '../../../../preload/contract/jobs/jobs.ts'
import type { LineChange } from '../../../../preload/contract/device/lines.ts'
import { changesWithin, voltageWithin } from '../../../instruments/charts/lanes/measure.ts'
import type { LinesStory } from '../../../instruments/charts/lanes/story.ts'
import type { LanesView, Span } from '../../../instruments/charts/lanes/view.ts'

type Seen = Pick<Step, 'kind' | 'state' | 'startedAt' | 'durationMs' | 'evidence' | 'attempts'>

/** So many lanes always have room, so that nothing moves when another input moves. */
export const mostInputs = 5
const wiredMv = 500
const runningRangeMs = 30_000
const endedRangeMs = 40_000

/** The lines that a step proves something about; of inputs without an order those that moved. */
export function watchedLines(step: Seen, story: Pick<LinesStory, 'lines'>, wanted: readonly string[]): string[] {
  switch (step.kind) {
    case 'externalPower':
      return ['PWR']
    case 'ignition':
      return ['TIG', 'IGN']
    case 'output': {
      const outs = [...new Set(wanted.filter((line) => line.startsWith('OUT')))]
      return ['IGN', 'TIG', 'MOT', ...outs, ...outs.map((out) => out.replace('OUT', 'SO'))]
    }
    default: {
      const inputs = [...story.lines].filter(([name]) => name.startsWith('IN'))
      const moved = inputs.filter(([name, changes]) => changes.length > 1 && !wanted.includes(name)).sort((a, b) => lastMs(b[1]) - lastMs(a[1]))
      const shown = [...wanted.filter((line) => line.startsWith('IN')), ...moved.map(([name]) => name)].slice(0, Math.max(mostInputs, wanted.length))
      return inputs.map(([name]) => name).filter((name) => shown.includes(name))
    }
  }
}

function lastMs(changes: readonly LineChange[]): number {
  return changes.at(-1)?.[0] ?? 0
}

/** The voltages beside them, where they are wired. */
export function watchedVoltages({ kind }: Pick<Step, 'kind'>, story: Pick<LinesStory, 'voltages'>): string[] {
  if (kind !== 'externalPower' && kind !== 'ignition') return []
  return ['AN1', 'AN2'].filter((name) => (voltageWithin(story.voltages.get(name) ?? [], [-Infinity, Infinity])?.mostMv ?? 0) > wiredMv).slice(0, 1)
}

/** While a step runs, the last half minute; what an ended one saw stays. Null when nothing is known from then. */
export function viewOf(step: Seen, story: Pick<LinesStory, 'fromMs'>): LanesView | null {
  if (step.state === 'running' || step.startedAt === null || step.durationMs === null) return { rangeMs: runningRangeMs, endMs: null }
  const endMs = Date.parse(step.startedAt) + step.durationMs
  return story.fromMs === null || endMs <= story.fromMs ? null : { rangeMs: Math.min(endedRangeMs, Math.max(runningRangeMs, step.durationMs + 5_000)), endMs }
}

/**
 * What was expected of a line, as far as the data tell it: supply all the time, ignition while the engine runs, an output
 * from its command until it was switched off.
 */
export function expectedOf(line: string, step: Seen, story: Pick<LinesStory, 'lines'>): LineChange[] | undefined {
  if (step.kind === 'externalPower' && line === 'PWR') return [[-Infinity, true]]
  if (step.kind === 'ignition' && line === 'IGN') {
    const engine = story.lines.get('TIG') ?? []
    return engine.some(([, on]) => on) ? engine.map(([atMs, on]): LineChange => [atMs, on === true ? true : null]) : undefined
  }
  if (step.kind !== 'output' || !line.startsWith('OUT')) return undefined
  const own = step.evidence.filter(({ attempt }) => attempt === step.attempts)
  const changes = own.flatMap((one): LineChange[] => (isSaying(one, switchedOn) ? [[Date.parse(one.at), true]] : isSaying(one, switchedOff) ? [[Date.parse(one.at), false]] : []))
  return changes.length > 0 ? [[-Infinity, false], ...changes] : undefined
}

const switchedOn = ['output.held']
const switchedOff = ['output.offAgain', 'output.watchedOff', 'output.notProvedOff', 'output.goesOffAtOnce']

function isSaying({ what }: Evidence, ids: readonly string[]): boolean {
  return typeof what === 'object' && ids.includes(what.id)
}

const markedLines = ['PWR', 'IGN', 'TIG'] as const
const mostMarks = 3

/** The last things that happened to supply, key and engine: they explain what the others did. */
export function marksOf(step: Seen, story: Pick<LinesStory, 'lines'>, span: Span): { line: (typeof markedLines)[number]; on: boolean; atMs: number }[] {
  if (step.kind !== 'ignition' && step.kind !== 'externalPower') return []
  const marks = markedLines.flatMap((line) => changesWithin(story.lines.get(line) ?? [], span).map(([atMs, on]) => ({ line, on: on === true, atMs })))
  return marks.sort((a, b) => a.atMs - b.atMs).slice(-mostMarks)
}
