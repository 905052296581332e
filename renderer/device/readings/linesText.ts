import type { LaneGroup, LaneOf } from '../../base/instruments/charts/lanes/layout.ts'
import { changesWithin, isChatter, type LineEvent } from '../../base/instruments/charts/lanes/measure.ts'
import type { LinesStory } from '../../../preload/job/linesStory.ts'
import type { Span } from '../../base/instruments/charts/lanes/view.ts'
import { formatNumber } from '../../../preload/base/messages/quantities.ts'
import { formatTime } from '../../../preload/base/messages/times.ts'
import { reader } from '../../base/say.ts'
import { t } from '../../base/texts.ts'

/** What is wired to a line, if known. */
export type Wiring = ReadonlyMap<string, string>

const groups = [
  { id: 'supply', lines: ['PWR', 'IGN', 'TIG', 'MOT'] },
  { id: 'inputs', lines: ['IN1', 'IN2', 'IN3', 'IN4', 'IN5', 'IN6', 'IN7'] },
  { id: 'outputs', lines: ['OUT1', 'OUT2', 'OUT3', 'OUT4', 'SO1', 'SO2', 'SO3', 'SO4'] }
] as const
const named = ['PWR', 'IGN', 'TIG', 'MOT', 'AN1', 'AN2', 'DAN', 'BAT'] as const
type Named = (typeof named)[number]
const isNamed = (line: string): line is Named => (named as readonly string[]).includes(line)

/** The purpose of a line in words: the device's use, or what is wired to it. Empty when unknown. */
export function wordsOf(line: string, wiring: Wiring): string {
  if (line.startsWith('SO')) return t('windowLines.line.SO', { n: line.slice(2) })
  return wiring.get(line) ?? (isNamed(line) ? t(`windowLines.line.${line}`) : '')
}

/** All digital lines in their groups, coloured by their activity in the shown time. */
export function laneGroups(story: LinesStory, span: Span, wiring: Wiring): LaneGroup[] {
  return groups.map(({ id, lines }) => ({
    title: t(`windowLines.group.${id}`),
    lanes: lines.map((line): LaneOf => ({ line, about: wordsOf(line, wiring), tone: toneOf(line, story, span) }))
  }))
}

export function toneOf(line: string, story: LinesStory, span: Span): LaneOf['tone'] {
  const changes = story.lines.get(line) ?? []
  const inView = changesWithin(changes, span)
  if (line.startsWith('SO') && (inView.length > 0 || changes.at(-1)?.[1] === true)) return 'fail'
  return isChatter(inView) ? 'warn' : 'live'
}

/** Whether a line is on, in one word. */
export function stateText(on: boolean | null | undefined): string {
  return on === true ? t('common.onInText') : on === false ? t('common.offInText') : t('windowLines.unread')
}

/** A change in everyday words. */
export function eventWords({ line, on }: Pick<LineEvent, 'line' | 'on'>, wiring: Wiring): string {
  const state = on ? 'on' : 'off'
  if (line === 'PWR' || line === 'IGN' || line === 'TIG' || line === 'MOT')
    return t(`windowLines.event.${line}.${state}`)
  if (line.startsWith('SO')) return t(`windowLines.event.SO.${state}`, { n: line.slice(2) })
  const what = wiring.get(line)
  return t(`windowLines.event.other.${state}`, { line: what === undefined ? line : `${line} ${what}` })
}

/** Seconds before now in a live view; otherwise the time of day. */
export function tickText(atMs: number, [fromMs, toMs]: Span, isLive: boolean): string {
  const rangeMs = toMs - fromMs
  if (isLive && rangeMs <= 600_000) {
    const s = Math.round((toMs - atMs) / 1000)
    return s === 0 ? t('common.nowInText') : s >= 120 && s % 60 === 0 ? `−${String(s / 60)} min` : `−${String(s)} s`
  }
  return formatTime(new Date(atMs).toISOString(), rangeMs > 600_000 ? 'time' : 'timeWithSeconds', reader.value)
}

/** A duration with its measured precision. */
export function secondsText(ms: number): string {
  return `${formatNumber(ms / 1000, reader.value.language, 2, 1)} s`
}

/** A moment with tenths of a second. */
export function momentText(atMs: number): string {
  return formatTime(new Date(atMs).toISOString(), 'timeWithMs', reader.value).replace(/(\d)\d\d$/, '$1')
}
