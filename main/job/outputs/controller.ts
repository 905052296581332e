import { message } from '../../../preload/contract/messages.ts'
import type { OutputLine } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { LedgerRow } from '../../data/store/work/outputLedger.ts'
import { askOff } from './askOff.ts'
import { awaitOff } from './awaitOff.ts'
import { bringOff } from './bringOff.ts'
import { createDeviceOutputs, type ControllerOptions } from './deviceOutputs.ts'
import type { ClaimRequest, OffRequest, OutputRecord } from './outputRecord.ts'
import type { OutputState } from './machine.ts'
import { switchOn } from './switchOn.ts'
import type { Fall, OffResult, OnResult, OutputDevice } from './outputTypes.ts'

/** One output, claimed by one check, screen or command. */
export interface OutputClaim {
  /**
   * Proves the identity and the conditions again, writes the ledger, sends "on" once. From then on it goes off
   * automatically.
   */
  switchOn(): Promise<OnResult>
  /** Why it was switched off, or may no longer be switched on; undefined while it may be switched on, or is on. */
  fallen(): Fall | undefined
  /**
   * Sends "off", even if "on" was never sent, and reads it back: resolves with the proof, or the state at the limit.
   */
  switchOff(): Promise<OffResult>
  release(): void
}

/** The only one who switches the outputs of one device, whoever asks: each output separately. */
export type OutputController = ReturnType<typeof createController>

export function createController(options: ControllerOptions) {
  const outputs = createDeviceOutputs(options, bringOff)
  const known = () => outputs.all().filter(({ state }) => state.isInLedger)

  return {
    /** Claims an output. Throws CONFLICT when it is already claimed, or may still be on. */
    claim(out: OutputLine, request: ClaimRequest): OutputClaim {
      const kept = outputs.of(out)
      if (kept.claim || outputs.take(kept, 'claimed').includes('refuse')) {
        throw new AppError('CONFLICT', message(kept.claim ? 'outputs.inUse' : 'outputs.notProvedOff', { output: out }))
      }
      Object.assign(kept, {
        claim: request,
        limits: request.limits,
        device: request.device,
        fall: undefined,
        trouble: undefined,
        isOffSent: false,
        record: request.record,
        onStop: new AbortController()
      })
      return {
        switchOn: () => switchOn(outputs, kept, request),
        // Off without a reason of this Fitter: the device, or somebody else, switched it off.
        fallen: () =>
          kept.fall ??
          (kept.claim === request && ['claimed', 'goingOn', 'on'].includes(kept.state.phase)
            ? undefined
            : { kind: 'asked' }),
        async switchOff() {
          // If "off" was not sent and will not be, its state is only assumed.
          const isSending = kept.isOffSent || (kept.state.isInLedger && kept.last.on !== false && !kept.isReadFirst)
          if (!isSending) return askOff(outputs, kept, request)
          outputs.fall(kept, { kind: 'asked' })
          return awaitOff(outputs, kept, request.limits.offWithinS * 1000)
        },
        release() {
          if (kept.claim !== request) return
          kept.claim = undefined
          outputs.take(kept, kept.state.phase === 'claimed' ? 'released' : 'mustGoOff')
        }
      }
    },
    /**
     * Always allowed, always sent and always read back. Waits for the proof up to the limit, and continues to try
     * afterwards.
     */
    switchOff: (out: OutputLine, way: OffRequest): Promise<OffResult> => askOff(outputs, outputs.of(out), way),
    takeOver: (row: LedgerRow) => outputs.takeOver(outputs.of(row.output as OutputLine), row, row.isOnSettled),
    /** The device can be reached (again): outputs that may be on are switched off now. */
    seen(device?: OutputDevice): void {
      for (const kept of known()) {
        if (device) kept.device ??= device
        kept.waker.wake()
      }
    },
    /**
     * A person checked the relay itself. Throws NOT_FOUND when it is not in the ledger, CONFLICT while Fitter has it
     * on, the device reads it on, or a late "on" is possible.
     */
    personSawOff(out: OutputLine, by: string, reason: string): void {
      const kept = outputs.of(out)
      const { row } = kept
      if (!row) throw new AppError('NOT_FOUND', message('outputs.notAmong', { output: out }))
      if (options.monotonicMs() >= kept.lateOnAtMs) outputs.take(kept, 'lateOnOver')
      if (!outputs.take(kept, 'personSawOff').includes('clearLedger'))
        throw refusedWord(kept.state, out, kept.lateOnAtMs - options.monotonicMs())
      options.ledger.end(row, { how: 'person', by, reason })
      outputs.keep(
        kept,
        {
          phase: 'readBack',
          what: message('outputs.seenOff', { by: by || message('outputs.aPerson'), reason }),
          raw: { by, reason }
        },
        false
      )
      outputs.cleared(kept, 'person')
    },
    known,
    /** What is known of one output. */
    output: (out: OutputLine): OutputRecord => outputs.of(out),
    /** The state of an output that may be on. */
    awaitOff: (out: OutputLine, withinMs: number): Promise<OffResult> => awaitOff(outputs, outputs.of(out), withinMs),
    /** Switches off everything that is or may be on; does not wait. */
    allOff(): void {
      for (const kept of outputs.all()) if (kept.state.phase !== 'off') outputs.fall(kept, { kind: 'asked' })
    },
    stop: () => outputs.stop()
  }
}

/** Why the word of a person does not end the entry of an output now. */
export function refusedWord({ phase, isReadOn }: OutputState, output: string, lateOnMs: number): AppError {
  if (phase !== 'goingOff' || lateOnMs === Infinity)
    return new AppError('CONFLICT', message('outputs.wordWhileOn', { output }))
  if (isReadOn) return new AppError('CONFLICT', message('outputs.wordWhileReadOn', { output }))
  return new AppError('CONFLICT', message('outputs.wordTooEarly', { forS: Math.max(1, Math.ceil(lateOnMs / 1000)) }), {
    retryable: true
  })
}
