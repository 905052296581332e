import type { RouteState } from '../records/places.ts'

export interface RouteProgress {
  name: string
  /** true: the record no longer changes. */
  isFinal: boolean
  checkpointsDone: number
  checkpointsTotal: number
  /** neverOn: never inside the path. left: was outside at some point. kept: stayed inside. */
  path: 'neverOn' | 'left' | 'kept'
  isOutsideNow: boolean | null
  startMs: number | null
  endMs: number | null
}

/** A route state item ("Route state item", "Route state"): `exited_path` null, true, false have three meanings. */
export function readRouteState(state: RouteState): RouteProgress {
  const epoch = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value * 1000 : null)
  return {
    name: state.name ?? '',
    isFinal: state.finalized === true,
    checkpointsDone: state.finalized_cpt ?? 0,
    checkpointsTotal: state.checkpoints?.length ?? 0,
    path: state.exited_path === true ? 'left' : state.exited_path === false ? 'kept' : 'neverOn',
    isOutsideNow: state.is_outside_path ?? null,
    startMs: epoch(state.start_epoch),
    endMs: epoch(state.end_epoch)
  }
}
