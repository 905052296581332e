import type { OutputLine } from '../../preload/contract/device/deviceAreas.ts'
import type { LedgerEnd, LedgerRow, NewLedgerRow } from '../store/work/outputLedger.ts'
import { newOutputRecord, type OutputRecord } from './outputRecord.ts'
import type { OutputLimits } from './limits.ts'
import { nextState, type OutputEffect, type OutputEvent } from './machine.ts'
import type { Fall, OutputDevice, SwitchEntry } from './outputTypes.ts'

export interface ControllerOptions {
  imei: string
  ledger: { begin(row: NewLedgerRow): LedgerRow; settleOn(row: LedgerRow): void; end(row: LedgerRow, end: Omit<LedgerEnd, 'at'>): void }
  /** A client of this device where it was last seen, for switching off what may be on; undefined while it is not. */
  reach(): OutputDevice | undefined
  /** Something that is shown of an output changed. */
  changed(): void
  /** Keeps what is sent when nobody has claimed the output. */
  record(jobId: string | null, entry: SwitchEntry): void
  limits(): OutputLimits
  monotonicMs(): number
  now(): Date
  reportFault(error: unknown): void
}

/** What is known of the outputs of one device, and how what happens to them is taken and written down. */
export interface DeviceOutputs extends ControllerOptions {
  of(out: OutputLine): OutputRecord
  all(): OutputRecord[]
  /** Takes an event to the state machine; "off" is begun at once, the rest comes back to be done. */
  take(kept: OutputRecord, event: OutputEvent): OutputEffect[]
  /** It must not stay on; the first reason is the one that is told. */
  fall(kept: OutputRecord, why: Fall, fault?: unknown): void
  /** Writes into the journal what was sent and what came back. */
  keep(kept: Pick<OutputRecord, 'out' | 'record' | 'row'>, entry: Omit<SwitchEntry, 'operation' | 'input'>, state: boolean): void
  /** Writes to the ledger. What fails is told when the output is dealt with; then it gives false. */
  tryToWrite(kept: OutputRecord, write: (row: LedgerRow) => void): boolean
  /** It is out of the ledger. */
  cleared(kept: OutputRecord): void
  /** An entry of the ledger stands for this output, which nobody here switched on. */
  takeOver(kept: OutputRecord, row: LedgerRow, isOnSettled: boolean): void
  isStopped(): boolean
  stop(): Promise<void>
}

const afterFaultMs = 500

type BringOff = (outputs: DeviceOutputs, kept: OutputRecord) => Promise<void>

export function createDeviceOutputs(options: ControllerOptions, bringOff: BringOff): DeviceOutputs {
  const known = new Map<OutputLine, OutputRecord>()
  let isStopped = false

  function of(out: OutputLine): OutputRecord {
    const present = known.get(out)
    if (present) return present
    const kept = newOutputRecord(out, options.limits())
    known.set(out, kept)
    return kept
  }

  function take(kept: OutputRecord, event: OutputEvent): OutputEffect[] {
    const before = kept.state
    const { state, effects } = nextState(before, event)
    kept.state = state
    if (kept.row && state.isInLedger && state.isOnSettled && !before.isOnSettled) {
      // What cannot be written here makes the next start watch the output longer than it would have to.
      tryToWrite(kept, (row) => options.ledger.settleOn(row))
    }
    if (effects.includes('proveOff')) begin(kept)
    if (state !== before) options.changed()
    return effects
  }

  function tryToWrite(kept: OutputRecord, write: (row: LedgerRow) => void): boolean {
    try {
      if (kept.row) write(kept.row)
      return true
    } catch (error) {
      kept.logFailure ??= error
      return false
    }
  }

  function begin(kept: OutputRecord): void {
    kept.waker.wake()
    // In a moment of its own: what it does first may ask for it again.
    kept.going ??= Promise.resolve()
      .then(() => bringOff(outputs, kept))
      .catch((error: unknown) => {
        options.reportFault(error)
        // The next attempt is not the same moment: a fault that lasts would leave no time for anything else.
        return kept.waker.sleep(afterFaultMs)
      })
      .finally(() => {
        kept.going = undefined
        kept.waker.wake()
        // A proof that was asked for while the last one ended.
        if (kept.state.phase === 'goingOff' && !isStopped) begin(kept)
      })
  }

  const outputs: DeviceOutputs = {
    ...options,
    of,
    all: () => [...known.values()],
    take,
    fall(kept, why, fault) {
      if (fault !== undefined) options.reportFault(fault)
      kept.fall ??= why
      take(kept, 'mustGoOff')
    },
    keep(kept, entry, state) {
      const whole = { operation: 'io.setOutput', input: { out: kept.out, state }, ...entry }
      if (kept.record) kept.record(whole)
      else options.record(kept.row?.jobId ?? null, whole)
    },
    tryToWrite,
    cleared(kept) {
      kept.row = undefined
      kept.trouble = undefined
      take(kept, 'ledgerCleared')
      kept.waker.wake()
    },
    takeOver(kept, row, isOnSettled) {
      const ageMs = options.now().getTime() - Date.parse(row.since)
      // A clock that was set back proves nothing: then the whole time counts from now on.
      const leftMs = kept.limits.lateOnS * 1000 - Math.max(0, ageMs)
      kept.row = row
      kept.isReadFirst = true
      kept.lateOnAtMs = options.monotonicMs() + (isOnSettled ? 0 : Math.max(0, leftMs))
      take(kept, 'foundInLedger')
    },
    isStopped: () => isStopped,
    async stop() {
      isStopped = true
      for (const kept of known.values()) kept.waker.wake()
      await Promise.all([...known.values()].map(({ going }) => going))
    }
  }
  return outputs
}
