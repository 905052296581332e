import type { WhyUnknown } from '../contract/gateway/vehicles/vehicles.ts'

/**
 * When a vehicle reports, is silent, or is unknown: the one rule of every list, screen, file and diagnosis. The gateway
 * stamps a report, so its clock decides: that of a laptop may be a day off, and then every vehicle would be silent, or
 * none.
 */

/** A vehicle is silent after this many intervals of its own rhythm, within these limits. */
const timesRhythm = 4
export const leastSilenceMs = 5 * 60_000
export const mostSilenceMs = 24 * 3_600_000
/** What was read longer ago says nothing about now: a vehicle is not silent because nobody asked. */
export const oldStatusMs = 15 * 60_000
/** Fewer intervals show no rhythm. */
const fewestGaps = 3
const mostGaps = 12
const togetherMs = 45_000

/** Parked and driving apart; `unknown`: the report does not show which. */
export const rhythmStates = ['driving', 'parked', 'unknown'] as const
export type RhythmState = (typeof rhythmStates)[number]
/** The usual seconds between two reports; null: too few reports are known. */
export type Rhythm = Readonly<Record<RhythmState, number | null>>
/** Seconds between two reports, the latest last. */
export type ReportGaps = Record<RhythmState, number[]>

export const noRhythm: Rhythm = { driving: null, parked: null, unknown: null }
export const noGaps: Readonly<ReportGaps> = { driving: [], parked: [], unknown: [] }

/** The last report of a vehicle as far as it is known. */
export interface KnownReport {
  hasDevice: boolean
  /** The device was read at all. */
  isRead: boolean
  lastReportedAt: string | null
  isDriving: boolean | null
  rhythm: Rhythm | null
}

export const whysUnknown = ['notRead', 'notShown', 'noRhythm'] as const satisfies readonly WhyUnknown[]

export interface Reporting {
  is: 'reports' | 'silent' | 'unknown' | 'noDevice'
  /** The last report, with which a silence began; null unless it is silent. */
  since: string | null
  /** Null unless it is unknown. */
  why: WhyUnknown | null
  /** The silence that it may have; null while its rhythm is not known. */
  limitS: number | null
  rhythmS: number | null
}

const nothing = { since: null, why: null, limitS: null, rhythmS: null }

/** `gatewayMs`: when the report was read, by the gateway's clock. */
export function reportingAt(
  { hasDevice, isRead, lastReportedAt, isDriving, rhythm }: KnownReport,
  gatewayMs: number
): Reporting {
  if (!hasDevice) return { is: 'noDevice', ...nothing }
  if (!isRead) return { is: 'unknown', ...nothing, why: 'notRead' }
  const rhythmS = rhythmFor(rhythm ?? noRhythm, rhythmStateOf(isDriving))
  const limitS =
    rhythmS === null ? null : Math.min(Math.max(timesRhythm * rhythmS, leastSilenceMs / 1_000), mostSilenceMs / 1_000)
  const known = { ...nothing, limitS, rhythmS }
  if (lastReportedAt === null) return { is: 'unknown', ...known, why: 'notShown' }
  const ageMs = gatewayMs - Date.parse(lastReportedAt)
  if (ageMs > (limitS === null ? mostSilenceMs : limitS * 1_000))
    return { is: 'silent', ...known, since: lastReportedAt }
  if (limitS !== null || ageMs <= leastSilenceMs) return { is: 'reports', ...known }
  return { is: 'unknown', ...known, why: 'noRhythm' }
}

/**
 * The rhythm of a state. Where the last report does not show its state, the slowest, so that nothing is called silent
 * early; reports that never showed one count for each.
 */
function rhythmFor(rhythm: Rhythm, state: RhythmState): number | null {
  if (state !== 'unknown')
    return rhythm[state] ?? (rhythm.driving === null && rhythm.parked === null ? rhythm.unknown : null)
  const known = rhythmStates.map((one) => rhythm[one]).filter((one) => one !== null)
  return known.length === 0 ? null : Math.max(...known)
}

export function rhythmStateOf(isDriving: boolean | null): RhythmState {
  if (isDriving === null) return 'unknown'
  return isDriving ? 'driving' : 'parked'
}

/** The median of each state. */
export function rhythmOf(gaps: ReportGaps): Rhythm {
  const middleOf = (all: readonly number[]): number | null =>
    all.length < fewestGaps ? null : ([...all].sort((a, b) => a - b)[all.length >> 1] ?? null)
  return { driving: middleOf(gaps.driving), parked: middleOf(gaps.parked), unknown: middleOf(gaps.unknown) }
}

/**
 * With one more interval, between two reports of one state: where the state changed, the change itself was reported, and
 * the interval shows no rhythm. One of a day or more is a silence.
 */
export function withGap(
  gaps: Readonly<ReportGaps>,
  { ms, before, after }: { ms: number; before: RhythmState; after: RhythmState }
): ReportGaps {
  if (before !== after || ms <= 0 || ms >= mostSilenceMs) return { ...gaps }
  return { ...gaps, [before]: [...gaps[before], Math.round(ms / 1_000)].slice(-mostGaps) }
}

/** The intervals between these reports, in any order. Reports of one moment, as when a vehicle stops, are one. */
export function gapsBetween(reports: readonly { atMs: number; isDriving: boolean | null }[]): ReportGaps {
  let gaps: ReportGaps = { ...noGaps }
  let begun: { atMs: number; last: RhythmState } | undefined
  for (const { atMs, isDriving } of [...reports].sort((a, b) => a.atMs - b.atMs)) {
    const state = rhythmStateOf(isDriving)
    if (begun && atMs - begun.atMs < togetherMs) {
      begun.last = state
      continue
    }
    if (begun) gaps = withGap(gaps, { ms: atMs - begun.atMs, before: begun.last, after: state })
    begun = { atMs, last: state }
  }
  return gaps
}

/** The states whose rhythm is known from the first, the others from the second. */
export function mergeRhythms(one: Rhythm | null, other: Rhythm | null): Rhythm {
  const of = (state: RhythmState): number | null => one?.[state] ?? other?.[state] ?? null
  return { driving: of('driving'), parked: of('parked'), unknown: of('unknown') }
}

/**
 * What the gateway's clock shows when this computer's shows `nowMs`. While the difference is unknown, both count as
 * equal.
 */
export function gatewayTimeMs(nowMs: number, clockDifferenceS: number | null | undefined): number {
  return nowMs + (clockDifferenceS ?? 0) * 1_000
}
