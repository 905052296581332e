import type { OutputLine } from '../../../preload/contract/device/deviceAreas.ts'
import type { LedgerEnd, LedgerRow, NewLedgerRow } from '../../data/store/work/outputLedger.ts'
import { newOutputRecord, type OutputRecord } from './outputRecord.ts'
import type { OutputLimits } from './limits.ts'
import { nextState, type OutputEffect, type OutputEvent } from './machine.ts'
import type { Fall, OffWitness, OutputDevice, SwitchEntry } from './outputTypes.ts'

export interface ControllerOptions {
  imei: string
  ledger: {
    begin(row: NewLedgerRow): LedgerRow
    settleOn(row: LedgerRow): void
    end(row: LedgerRow, end: Omit<LedgerEnd, 'at'>): void
  }
  /** A client of this device at its last address, to switch off what may be on; undefined while there is none. */
  reach(): OutputDevice | undefined
  changed(): void
  /** Logs what is sent when nobody has claimed the output. */
  record(jobId: string | null, entry: SwitchEntry): void
  limits(): OutputLimits
  monotonicMs(): number
  now(): Date
  reportFault(error: unknown): void
}

/** The outputs of one device, and how events are processed and logged. */
export interface DeviceOutputs extends ControllerOptions {
  of(out: OutputLine): OutputRecord
  all(): OutputRecord[]
  /**
   * Passes an event to the table; an "on" is taken back and "off" is started at once, the other effects are returned.
   */
  take(kept: OutputRecord, event: OutputEvent): readonly OutputEffect[]
  /** It must not stay on; the first reason is reported. */
  fall(kept: OutputRecord, why: Fall, fault?: unknown): void
  keep(
    kept: Pick<OutputRecord, 'out' | 'record' | 'row'>,
    entry: Omit<SwitchEntry, 'operation' | 'input'>,
    state: boolean
  ): void
  /** Writes to the ledger. Returns false on failure, which is reported when the output is dealt with. */
  tryToWrite(kept: OutputRecord, write: (row: LedgerRow) => void): boolean
  /** It is no longer in the ledger, by the proof or the word of this witness. */
  cleared(kept: OutputRecord, by: OffWitness): void
  /** The ledger has an entry for this output, which this run did not switch on. */
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

  function take(kept: OutputRecord, event: OutputEvent): readonly OutputEffect[] {
    const before = kept.state
    const { state, effects } = nextState(before, event)
    kept.state = state
    if (kept.row && state.isInLedger && state.isOnSettled && !before.isOnSettled) {
      // If this cannot be written, the next start watches the output longer than necessary.
      tryToWrite(kept, (row) => options.ledger.settleOn(row))
    }
    if (effects.includes('takeBackOn')) kept.onStop.abort()
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
    // Asynchronously, because its first action may request it again.
    kept.going ??= Promise.resolve()
      .then(() => bringOff(outputs, kept))
      .catch((error: unknown) => {
        options.reportFault(error)
        // The next attempt is delayed: a lasting fault would otherwise leave no time for anything else.
        return kept.waker.sleep(afterFaultMs)
      })
      .finally(() => {
        kept.going = undefined
        kept.waker.wake()
        // A proof that was requested while the last one ended.
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
    cleared(kept, by) {
      kept.endedBy = by
      kept.row = undefined
      kept.tries = undefined
      kept.trouble = undefined
      take(kept, 'ledgerCleared')
      kept.waker.wake()
    },
    takeOver(kept, row, isOnSettled) {
      kept.row = row
      kept.isReadFirst = true
      // The entry is older than its "on", which may have waited before it left: the full time counts from now.
      kept.lateOnAtMs = options.monotonicMs() + (isOnSettled ? 0 : kept.limits.lateOnS * 1000)
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
