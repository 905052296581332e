import type { RouteState } from '../records/places.ts'

/** A route state item ("Route state item", "Route state"): `exited_path` null, true, false have three meanings. */
export function readRouteState(state: RouteState) {
  const epoch = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value * 1000 : null)
  return {
    name: state.name ?? '',
    isFinal: state.finalized === true,
    checkpointsDone: state.finalized_cpt ?? 0,
    checkpointsTotal: state.checkpoints?.length ?? 0,
    /** neverOn: never inside the path. left: was outside at some point. kept: stayed inside. */
    path: state.exited_path === true ? ('left' as const) : state.exited_path === false ? ('kept' as const) : ('neverOn' as const),
    isOutsideNow: state.is_outside_path ?? null,
    startMs: epoch(state.start_epoch),
    endMs: epoch(state.end_epoch)
  }
}
