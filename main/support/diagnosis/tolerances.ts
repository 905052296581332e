import type { CallOutput } from '../../../preload/contract/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import {
  toleranceIds,
  toleranceLimits,
  type ToleranceId,
  type Tolerances
} from '../../../preload/contract/support/tolerances.ts'
import type { Profile } from '../../job/jobs/engine/profile.ts'
import { amountText } from './facts/judge.ts'

export interface TolerancesParts {
  profile(): Pick<Profile, 'comparison'>
  settings: { get(): Settings; change(change: { tolerances: Settings['tolerances'] }): Settings }
  changed(settings: Settings): void
}

type Told = CallOutput<'diagnosis.tolerances'>

export type ToleranceSettings = ReturnType<typeof createTolerances>

const isAllowed = (id: ToleranceId, value: number) =>
  value >= toleranceLimits[id].least && value <= toleranceLimits[id].most

/** What another version kept beyond these limits is as if nobody had chosen it. */
export function tolerancesOf(
  { comparison }: Pick<Profile, 'comparison'>,
  chosen: Partial<Record<string, number>>
): Tolerances {
  const valueOf = (id: ToleranceId, own = chosen[id]) =>
    own !== undefined && isAllowed(id, own) ? own : comparison[id]
  return Object.fromEntries(toleranceIds.map((id) => [id, valueOf(id)])) as Record<ToleranceId, number>
}

/** The tolerances of the profile, with what a person changed of them. */
export function createTolerances({ profile, settings, changed }: TolerancesParts) {
  const current = (): Tolerances => tolerancesOf(profile(), settings.get().tolerances)

  function list(): Told {
    const values = current()
    return {
      tolerances: toleranceIds.map((id) => ({
        id,
        value: values[id],
        standard: profile().comparison[id],
        ...toleranceLimits[id]
      }))
    }
  }
  function keep(tolerances: Settings['tolerances']): Told {
    changed(settings.change({ tolerances }))
    return list()
  }

  return {
    /** What both witnesses are held against now. */
    current,
    list,
    /** Null: as the profile has it. INVALID_REQUEST beyond its limits. */
    set(id: ToleranceId, value: number | null): Told {
      if (value !== null && !isAllowed(id, value)) {
        const { least, most, unit } = toleranceLimits[id]
        throw new AppError(
          'INVALID_REQUEST',
          message('facts.toleranceBeyond', { least: amountText(least, unit), most: amountText(most, unit) })
        )
      }
      const { [id]: _, ...rest } = settings.get().tolerances
      return keep(value === null || value === profile().comparison[id] ? rest : { ...rest, [id]: value })
    },
    reset: (): Told => keep({})
  }
}
