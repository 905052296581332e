import { message } from '../../preload/contract/messages.ts'
import { againSoonMs, tryOffAt, type Tell } from './bringOff.ts'
import type { DeviceOutputs } from './deviceOutputs.ts'
import { unread, type Kept, type OffWay } from './kept.ts'
import type { OffResult } from './words.ts'

/** Nobody here switched it on: it gets "off", and what turns out to be on after all goes into the ledger. */
export async function switchOffOthers(outputs: DeviceOutputs, kept: Kept, way: OffWay): Promise<OffResult> {
  kept.device = way.device ?? kept.device
  kept.record = (entry) => way.record(entry)
  kept.last = unread
  const untilMs = outputs.monotonicMs() + kept.limits.offWithinS * 1000
  outputs.keep(kept, { phase: 'intent', what: message('outputs.off', { output: kept.out }), raw: null }, false)
  const tell: Tell = (phase, what, raw) => outputs.keep(kept, { phase, what, raw }, false)
  let wasOn = false
  while (kept.state.phase === 'off' && !outputs.isStopped()) {
    for (const device of new Set([kept.device, outputs.reach()])) {
      const reading = device && (await tryOffAt(outputs, kept, device, tell))
      if (reading?.on === false) {
        tell('readBack', message('outputs.isOff', { output: kept.out }), reading.raw)
        return { kind: 'off', raw: reading.raw }
      }
      wasOn ||= reading?.on === true
    }
    if (outputs.monotonicMs() >= untilMs) break
    await kept.waker.sleep(againSoonMs)
  }
  if (wasOn && kept.state.phase === 'off') {
    const { by, jobId, address } = way
    outputs.takeOver(kept, outputs.ledger.begin({ imei: outputs.imei, output: kept.out, path: 'local', vehicleId: null, address, since: outputs.now().toISOString(), by, jobId }), true)
  }
  return { kind: 'unproved', error: kept.trouble, raw: kept.last.raw }
}
