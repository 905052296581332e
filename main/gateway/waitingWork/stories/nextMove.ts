import type { GatewayStatus } from '../../../../preload/contract/gateway/gateway.ts'
import type { NextMove, WaitCause } from '../../../../preload/contract/gateway/stories.ts'
import type { OperationProgress } from '../engine.ts'
import type { WaitingOperation } from '../../../data/store/work/operations.ts'
import { isUnsent } from '../transitions.ts'

/** When automatic passes run; null when they run only on demand, as in the terminal. */
export interface PassTimes {
  nextInMs: number
  everyMs: number
}

export interface Surroundings {
  gateway: GatewayStatus['state']
  passes: PassTimes | null
  isAllPaused: boolean
}

/** What one operation waits for, and when it moves next if known. `first`: the oldest open one on the same key. */
export function nextMoveOf(
  row: WaitingOperation,
  first: WaitingOperation,
  standing: OperationProgress,
  around: Surroundings
): NextMove {
  const { state } = row
  const { hold } = standing
  if (state === 'failed') return unknownWhen('person')
  if (state === 'needsAttention')
    return standing.looksAgain
      ? { cause: 'office', inMs: timeOf(hold?.inMs ?? 0, standing, around) }
      : unknownWhen('person')
  if (standing.isUnderWay || state === 'sending' || state === 'verifying' || row.isLive) return unknownWhen('underWay')
  if (state === 'blocked') return unknownWhen('need')
  if ((row.isPaused || around.isAllPaused) && isUnsent(state)) return unknownWhen('pause')
  // Names become ids independently; everything else on a key goes in order.
  if (state !== 'draft' && first.id !== row.id)
    return unknownWhen(first.state === 'needsAttention' ? 'decision' : 'older')
  if (around.gateway === 'notSet') return unknownWhen('noGateway')
  if (around.gateway === 'signedOut') return unknownWhen('signIn')
  return { cause: causeOf(row, standing, around), inMs: timeOf(hold?.inMs ?? 0, standing, around) }
}

/** What a step of a job waits for: every pass checks it. */
export function nextLook(around: Surroundings): NextMove {
  if (around.isAllPaused) return unknownWhen('pause')
  if (around.gateway === 'notSet') return unknownWhen('noGateway')
  if (around.gateway === 'signedOut') return unknownWhen('signIn')
  return { cause: around.gateway === 'unreachable' ? 'gateway' : 'effect', inMs: around.passes?.nextInMs ?? null }
}

function unknownWhen(cause: WaitCause): NextMove {
  return { cause, inMs: null }
}

function causeOf(
  { state }: WaitingOperation,
  { hold, isAway }: OperationProgress,
  { gateway }: Surroundings
): WaitCause {
  if (hold?.cause === 'limit') return 'limit'
  if (hold?.cause === 'signIn') return 'signIn'
  if (isAway || gateway === 'unreachable') return 'gateway'
  if (state === 'accepted') return 'effect'
  return state === 'unknown' ? 'readBack' : 'turn'
}

/** With the first pass that finds it free. An unreachable gateway causes no early pass. */
function timeOf(heldForMs: number, { isAway }: OperationProgress, { passes }: Surroundings): number | null {
  if (passes === null) return null
  const { nextInMs, everyMs } = passes
  if (heldForMs <= nextInMs) return nextInMs
  return isAway ? nextInMs + Math.ceil((heldForMs - nextInMs) / everyMs) * everyMs : heldForMs
}
