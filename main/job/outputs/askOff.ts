import { message } from '../../../preload/contract/messages.ts'
import { awaitOff } from './awaitOff.ts'
import { againSoonMs, carefulTell, tryOffAt } from './bringOff.ts'
import type { DeviceOutputs } from './deviceOutputs.ts'
import type { OutputRecord, OffRequest } from './outputRecord.ts'
import type { OffResult } from './outputTypes.ts'

/**
 * "Off", whoever claimed it and whatever Fitter believes: sent at once, and read afterwards. One that is on goes into
 * the ledger.
 */
export async function askOff(outputs: DeviceOutputs, kept: OutputRecord, way: OffRequest): Promise<OffResult> {
  const { limits } = kept
  const isOnByUs = willSendOff(kept)
  outputs.fall(kept, { kind: 'asked' })
  kept.device ??= way.device
  kept.waker.wake()
  if (isOnByUs) return awaitOff(outputs, kept, limits.offWithinS * 1000)
  const untilMs = outputs.monotonicMs() + limits.offWithinS * 1000
  const tell = carefulTell(kept, (entry) =>
    outputs.keep({ ...kept, record: (whole) => way.record(whole) }, entry, false)
  )
  tell('intent', message('outputs.off', { output: kept.out }), null)
  let wasOn = false
  for (;;) {
    for (const device of new Set([way.device, kept.device, outputs.reach()])) {
      const reading = device && (await tryOffAt(outputs, kept, device, tell, true))
      wasOn ||= reading?.on === true
      if (reading?.on !== false) continue
      tell('readBack', message('outputs.isOff', { output: kept.out }), reading.raw)
      if (kept.state.isInLedger) break
      return awaitOff(outputs, kept, 0)
    }
    // An output in the ledger is switched off until that is confirmed, whether anybody waits for it or not.
    const leftMs = untilMs - outputs.monotonicMs()
    if (kept.state.isInLedger) return awaitOff(outputs, kept, leftMs)
    if (leftMs <= 0 || outputs.isStopped()) break
    await kept.waker.sleep(againSoonMs)
  }
  if (wasOn) {
    const { by, jobId, address } = way
    kept.device = way.device ?? kept.device
    kept.record = (entry) => way.record(entry)
    outputs.takeOver(
      kept,
      outputs.ledger.begin({
        imei: outputs.imei,
        output: kept.out,
        path: 'local',
        vehicleId: null,
        address,
        since: outputs.now().toISOString(),
        by,
        jobId
      }),
      true
    )
  }
  return { kind: 'unproved', error: kept.trouble, raw: kept.last.raw }
}

/** Fitter switched it on: when it must go off, "off" is the first thing that is sent. */
function willSendOff({ state, last, isReadFirst }: OutputRecord): boolean {
  return (state.phase === 'goingOn' || state.phase === 'on') && last.on !== false && !isReadFirst
}
