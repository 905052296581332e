import type { StepKind } from '../../../preload/contract/steps/index.ts'
import type { CheckGroup } from '../check.ts'
import { accessoryChecks } from './accessories.ts'
import { coreChecks } from './core.ts'
import { orderedChecks } from './ordered.ts'
import { personChecks } from './person.ts'
import { roadChecks } from './road.ts'

/** The check behind each kind of step. */
export const checks: CheckGroup<StepKind> = { ...coreChecks, ...orderedChecks, ...accessoryChecks, ...roadChecks, ...personChecks }

/** Checks that only watch: they run side by side from the moment the device is known to be the right one. */
export const watchingKinds: ReadonlySet<StepKind> = new Set((Object.keys(checks) as StepKind[]).filter((kind) => checks[kind].isWatching))
