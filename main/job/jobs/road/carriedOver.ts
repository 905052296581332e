import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import type { Profile } from '../engine/profile.ts'

/** The greatest possible growth of a counter in a second. */
const fastestMs = 70

export interface CarriedOver {
  rows: SeenRow[]
  verdict: 'carried' | 'lost' | 'ahead' | 'unknown'
}

const counters = [
  {
    names: ['dev_dist'],
    label: message('swapped.distance'),
    growthPerS: fastestMs,
    slack: (limits: Profile['swapped']) => limits.countersM,
    say: (value: number) => message('meters.distance', { distanceM: Math.round(value) })
  },
  {
    names: ['dev_ign'],
    label: message('swapped.ignition'),
    growthPerS: 1,
    slack: (limits: Profile['swapped']) => limits.countersS,
    say: (value: number) => message('meters.duration', { forS: Math.round(value) })
  }
] as const

/**
 * Whether a vehicle's counters continue from where those of the earlier device ended. The distance must; others are
 * reported.
 */
export function compareCounters(
  before: Record<string, number> | null,
  after: Record<string, number> | null,
  { limits, sinceS }: { limits: Profile['swapped']; sinceS: number }
): CarriedOver {
  const compared = counters.map(({ names: [name], label, growthPerS, slack, say }) => {
    const [was, is] = [before?.[name], after?.[name]]
    const verdict =
      was === undefined || is === undefined
        ? 'unknown'
        : is < was - slack(limits)
          ? 'lost'
          : is > was + slack(limits) + growthPerS * Math.max(0, sinceS)
            ? 'ahead'
            : 'carried'
    const row: SeenRow = {
      label,
      wanted: sayOrNothing(was, say),
      device: null,
      gateway: sayOrNothing(is, say),
      verdict: verdict === 'carried' ? 'agrees' : verdict === 'unknown' ? 'unreadable' : 'differs'
    }
    return { verdict, row, isKnown: was !== undefined || is !== undefined } as const
  })
  const [distance] = compared
  return {
    rows: compared.filter(({ isKnown }, index) => isKnown || index === 0).map(({ row }) => row),
    verdict: distance?.verdict ?? 'unknown'
  }
}

function sayOrNothing(value: number | undefined, say: (value: number) => Message): Message | null {
  return value === undefined ? null : say(value)
}
