import { z } from 'zod'
import { isoTime } from '../../../preload/contract/define.ts'
import {
  mergeRhythms,
  noGaps,
  oldStatusMs,
  rhythmOf,
  rhythmStates,
  rhythmStateOf,
  withGap,
  type ReportGaps,
  type Rhythm
} from '../../../preload/gateway/reporting.ts'
import { readDeviceState } from '../client/vehicles/deviceState.ts'

const gapsOfStates = z.object({
  driving: z.array(z.number()),
  parked: z.array(z.number()),
  unknown: z.array(z.number())
})
const rhythmOfStates = z.object({
  driving: z.number().nullable(),
  parked: z.number().nullable(),
  unknown: z.number().nullable()
})
/** What a device's record told when it was copied; null where it told nothing. */
export const copiedState = z.object({
  /** By the clock of this computer, for the age of the copy. */
  readAt: isoTime,
  /** The same moment by the gateway's clock, as its reports have it. */
  gatewayAt: isoTime,
  lastReportedAt: isoTime.nullable(),
  hasPower: z.boolean().nullable(),
  hasPosition: z.boolean().nullable(),
  signalDbm: z.number().nullable(),
  /** By its ignition. */
  isDriving: z.boolean().nullable().default(null),
  /** The seconds between reports that were read one after the other. */
  gapsS: gapsOfStates.default({ ...noGaps }),
  /** As its events showed it, which are read for a diagnosis and for its screen. */
  rhythm: rhythmOfStates.extend({ readAt: isoTime }).nullable().default(null),
  /** When a copy first showed it, if every copy since has shown it too. */
  since: z.object({ noPower: isoTime.optional(), noPosition: isoTime.optional(), weakSignal: isoTime.optional() })
})
export type CopiedState = z.infer<typeof copiedState>

/** A weaker signal is weak, as in the delivered profile. */
const weakBelowDbm = -100

/** A clock that is slightly ahead is not in the future. */
const aheadMs = 60_000

export interface SeenRecord {
  /** When it was read, by this computer's clock and by the gateway's. */
  at: string
  gatewayAt: string
  before(id: string): unknown
}

/** As its record shows it now, with what the copy knew before. */
export function copiedStateOf(
  item: unknown,
  { at, gatewayAt }: Omit<SeenRecord, 'before'>,
  before: CopiedState | undefined
): CopiedState {
  const { lastReportedAt: shownAt, hasPower, hasPosition, signalDbm, isDriving } = readDeviceState(item)
  const shown = {
    noPower: hasPower === false,
    noPosition: hasPosition === false,
    weakSignal: signalDbm !== null && signalDbm < weakBelowDbm
  }
  const lastReportedAt = latestOf(shownAt, pastOf(before?.lastReportedAt, gatewayAt))
  const since = Object.fromEntries(
    Object.entries(shown).flatMap(([name, isShown]) =>
      isShown ? [[name, before?.since[name as keyof typeof shown] ?? lastReportedAt ?? gatewayAt]] : []
    )
  )
  const state = { readAt: at, gatewayAt, lastReportedAt, hasPower, hasPosition, signalDbm, isDriving, since }
  return { ...state, rhythm: before?.rhythm ?? null, gapsS: gapsAfter(before, state) }
}

/** With the interval to this report. Between readings further apart there may have been others. */
function gapsAfter(
  before: CopiedState | undefined,
  { gatewayAt, lastReportedAt, isDriving }: Pick<CopiedState, 'gatewayAt' | 'lastReportedAt' | 'isDriving'>
): ReportGaps {
  if (!before) return { ...noGaps }
  const isWatched = Date.parse(gatewayAt) - Date.parse(before.gatewayAt) <= oldStatusMs
  if (!isWatched || lastReportedAt === null || before.lastReportedAt === null) return before.gapsS
  return withGap(before.gapsS, {
    ms: Date.parse(lastReportedAt) - Date.parse(before.lastReportedAt),
    before: rhythmStateOf(before.isDriving),
    after: rhythmStateOf(isDriving)
  })
}

/** A report of the future has a wrong time: the next reading may correct it. */
function pastOf(at: string | null | undefined, gatewayAt: string): string | null {
  return at && Date.parse(at) <= Date.parse(gatewayAt) + aheadMs ? at : null
}

function latestOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return Date.parse(one) >= Date.parse(other) ? one : other
}

/** By its events; where none were read, by what was read of it again and again. */
export function rhythmOfState({ rhythm, gapsS }: CopiedState): Rhythm {
  return mergeRhythms(rhythm, rhythmOf(gapsS))
}

/** What the events of a device show of its reports. */
export interface ShownReports {
  lastReportedAt: string | null
  isDriving: boolean | null
  rhythm: Rhythm
  readAt: string
}

/** The state of the copy with what events have shown; undefined if they show nothing new. */
export function withReports(before: CopiedState, shown: ShownReports): CopiedState | undefined {
  const lastReportedAt = latestOf(shown.lastReportedAt, before.lastReportedAt)
  const rhythm = mergeRhythms(shown.rhythm, before.rhythm)
  const isNewer = lastReportedAt !== before.lastReportedAt
  const isSameRhythm = rhythmStates.every((state) => rhythm[state] === (before.rhythm?.[state] ?? null))
  if (!isNewer && isSameRhythm) return undefined
  return {
    ...before,
    lastReportedAt,
    isDriving: isNewer ? (shown.isDriving ?? before.isDriving) : before.isDriving,
    rhythm: isSameRhythm ? before.rhythm : { ...rhythm, readAt: shown.readAt }
  }
}
