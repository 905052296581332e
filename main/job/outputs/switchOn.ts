import { message } from '../../../preload/contract/messages.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { proveIdentity } from '../../gateway/accounts/proveIdentity.ts'
import { cancelledCall } from '../../device/client/queue.ts'
import type { DeviceOutputs } from './deviceOutputs.ts'
import { mayOnLeave } from './machine.ts'
import { unread, type ClaimRequest, type OutputRecord } from './outputRecord.ts'
import { askEveryMs, readQuietly } from './provedReading.ts'
import { watchOn, whyOff } from './watchOn.ts'
import type { OnResult } from './outputTypes.ts'

/**
 * Proves the device's identity, checks the conditions again, writes the ledger, sends "on" once, and watches from then
 * on.
 */
export async function switchOn(outputs: DeviceOutputs, kept: OutputRecord, claim: ClaimRequest): Promise<OnResult> {
  const { device, interlock, signal } = claim
  try {
    await proveIdentity(device, outputs.imei, { signal })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    return { kind: 'notProved', error }
  }
  const missing = interlock.missing()
  if (missing.length > 0) return { kind: 'held', missing }
  signal.throwIfAborted()
  // The proof may have taken long: whoever wanted it may be gone.
  const over = claim.over?.()
  if (over) outputs.fall(kept, over)
  if (!outputs.take(kept, 'armed').includes('writeLedger'))
    return { kind: 'fallen', fall: kept.fall ?? { kind: 'asked' }, raw: null }
  writeLedger(outputs, kept, claim)
  const watching = watchOn(outputs, kept, claim).catch((error: unknown) =>
    outputs.fall(kept, { kind: 'conditions', what: [] }, error)
  )
  const result = await sendOn(outputs, kept, claim)
  if (result.kind !== 'on') outputs.take(kept, 'mustGoOff')
  void watching
  return result
}

/** On the disk before the first byte is sent; if it cannot be written, nothing is sent. */
function writeLedger(outputs: DeviceOutputs, kept: OutputRecord, claim: ClaimRequest): void {
  try {
    kept.row = outputs.ledger.begin({
      imei: outputs.imei,
      output: kept.out,
      path: 'local',
      vehicleId: null,
      address: claim.address,
      since: outputs.now().toISOString(),
      by: claim.by,
      jobId: claim.jobId
    })
  } catch (error) {
    outputs.take(kept, 'ledgerFailed')
    throw error
  }
  kept.device = claim.device
  kept.last = { ...unread, on: true }
  kept.offSinceMs = Infinity
  kept.isReadFirst = false
  kept.lateOnAtMs = outputs.monotonicMs() + claim.limits.lateOnS * 1000
  outputs.take(kept, 'ledgerWritten')
}

/** Once. The device's next reading says whether it is on. */
async function sendOn(outputs: DeviceOutputs, kept: OutputRecord, claim: ClaimRequest): Promise<OnResult> {
  const { device } = claim
  const readBackMs = claim.limits.readBackS * 1000
  const input = { out: kept.out, state: true }
  let sentMs = outputs.monotonicMs()
  const { row } = kept
  let lost: AppError | undefined
  try {
    outputs.keep(kept, { phase: 'intent', what: message('outputs.on', { output: kept.out }), raw: null }, true)
  } catch (error) {
    // Nothing was sent, and nothing will be.
    outputs.take(kept, 'onRefused')
    throw error
  }
  try {
    // Right before the first byte: whatever means "off" has taken it back by then.
    const beforeSent = (): void => {
      const why = whyOff(claim)
      if (why) outputs.fall(kept, why)
      if (!mayOnLeave(kept.state)) throw cancelledCall()
      // It may have waited long: only now it can begin to take effect.
      sentMs = outputs.monotonicMs()
      kept.lateOnAtMs = sentMs + claim.limits.lateOnS * 1000
    }
    const untilSent = AbortSignal.any([kept.onStop.signal, claim.signal])
    const reply = await device.io.setOutput(input, { timeoutMs: readBackMs, untilSent, beforeSent })
    // An answer that comes after the end says nothing about whoever has claimed the output now.
    if (kept.row !== row) return { kind: 'notSeen', raw: null }
    outputs.take(kept, 'onAnswered')
    kept.lateOnAtMs = sentMs + claim.limits.answeredOnS * 1000
    outputs.keep(
      kept,
      {
        phase: 'answered',
        what: message('outputs.answered', { status: reply.status }),
        raw: (reply.raw ?? null) as Json
      },
      true
    )
  } catch (error) {
    if (!(error instanceof AppError) || kept.state.isOnAnswered) throw error
    lost = error
    const hasLeft = error.fate === 'unknown'
    const why = hasLeft ? undefined : whyOff(claim)
    if (why) outputs.fall(kept, why)
    // "Off" is on its way already, and decides for itself what it reads first.
    if (!hasLeft && !kept.fall) kept.isReadFirst = true
    if (kept.row === row) outputs.take(kept, hasLeft ? 'onLost' : 'onRefused')
    outputs.keep(
      kept,
      {
        phase: 'unknown',
        what: hasLeft || !kept.fall ? error.sentence : message('outputs.takenBack', { output: kept.out }),
        raw: null
      },
      true
    )
    if (!hasLeft)
      return kept.fall ? { kind: 'fallen', fall: kept.fall, raw: null } : { kind: 'refused', error, raw: null }
  }
  const untilMs = outputs.monotonicMs() + readBackMs
  let reading = unread
  while (kept.state.phase === 'goingOn') {
    reading = await readQuietly(outputs.imei, device, kept.out)
    if (kept.state.phase !== 'goingOn') break
    if (reading.isShort) outputs.fall(kept, { kind: 'short' })
    else if (reading.on === true) outputs.take(kept, 'readOn')
    else if (outputs.monotonicMs() >= untilMs) break
    else await kept.waker.sleep(askEveryMs)
  }
  if (kept.fall) return { kind: 'fallen', fall: kept.fall, raw: reading.raw }
  if (kept.state.phase === 'on') return { kind: 'on', raw: reading.raw }
  // An output that read off gets no command before it reads on: it is only watched.
  if (reading.on !== undefined) kept.last = reading
  return lost ? { kind: 'lost', error: lost, raw: reading.raw } : { kind: 'notSeen', raw: reading.raw }
}
