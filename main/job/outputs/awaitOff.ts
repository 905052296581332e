import type { DeviceOutputs } from './deviceOutputs.ts'
import type { OutputRecord } from './outputRecord.ts'
import type { OffResult } from './outputTypes.ts'

/** After an unanswered "on" a person is told when it has read off for this long. */
const readsOffForMs = 5_000

/** The state after at most this time: confirmed, watched, or not confirmed. */
export async function awaitOff(outputs: DeviceOutputs, kept: OutputRecord, withinMs: number): Promise<OffResult> {
  const untilMs = outputs.monotonicMs() + withinMs
  for (;;) {
    const nowMs = outputs.monotonicMs()
    const { raw } = kept.last
    if (!kept.state.isInLedger) {
      const failure = kept.logFailure
      kept.logFailure = undefined
      if (failure !== undefined) throw failure
      return { kind: 'off', by: kept.endedBy, raw }
    }
    const readsOffMs = nowMs - kept.offSinceMs
    const watched = { kind: 'watched' as const, forMs: Math.max(0, kept.lateOnAtMs - nowMs), raw }
    if (!kept.state.isOnSettled && readsOffMs >= readsOffForMs) return watched
    if (nowMs >= untilMs || outputs.isStopped())
      return readsOffMs >= 0 ? watched : { kind: 'unproved', error: kept.trouble, raw }
    await kept.waker.sleep(Math.min(100, untilMs - nowMs))
  }
}
