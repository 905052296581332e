import type { OutputLine } from '../../../preload/contract/device/deviceAreas.ts'
import type { AppError } from '../../../preload/contract/errors.ts'
import type { LedgerRow } from '../../data/store/work/outputLedger.ts'
import { createWaker, type Waker } from '../../base/time/waker.ts'
import type { Interlock } from './interlock.ts'
import type { OutputLimits } from './limits.ts'
import { startState, type OutputState } from './machine.ts'
import type { Fall, OffWitness, OutputDevice, OutputReading, SwitchEntry } from './outputTypes.ts'

export interface ClaimRequest {
  device: OutputDevice
  address: string
  interlock: Interlock
  limits: OutputLimits
  by: string
  jobId: string | null
  signal: AbortSignal
  isShort(): boolean | undefined
  /** Writes what is sent into the attempt journal; on the disk when it returns. */
  record(entry: SwitchEntry): void
  /** Checked while it is on: what ends it besides the conditions. */
  over?(): Fall | undefined
}

/** Who asks for "off", and how, if nobody here switched the output on. */
export interface OffRequest {
  device: OutputDevice | undefined
  address: string
  by: string
  jobId: string | null
  record(entry: SwitchEntry): void
}

export interface OutputRecord {
  readonly out: OutputLine
  state: OutputState
  row: LedgerRow | undefined
  claim: ClaimRequest | undefined
  /** From the last claim: its journal gets later events. */
  record: ((entry: SwitchEntry) => void) | undefined
  limits: OutputLimits
  device: OutputDevice | undefined
  fall: Fall | undefined
  /** Takes an "on" back that has not left. */
  onStop: AbortController
  /** Who ended its last entry. */
  endedBy: OffWitness
  /** What prevents the proof of "off". */
  trouble: AppError | undefined
  last: OutputReading
  /** How often "off" was tried since it must go off: since when and when last in epoch milliseconds. */
  tries: { n: number; sinceMs: number; atMs: number; everyS: number } | undefined
  /** The device is read before it gets a command: it may have been off all along. */
  isReadFirst: boolean
  /** "Off" was sent, and the output read afterwards, since the last claim. */
  isOffSent: boolean
  /** Since when each reading was off; Infinity otherwise. */
  offSinceMs: number
  /** When a sent "on" can no longer take effect. */
  lateOnAtMs: number
  going: Promise<void> | undefined
  waker: Waker
  /** The log could not be written in the meantime: reported when the output is dealt with. */
  logFailure: unknown
}

export const unread: OutputReading = { on: undefined, isShort: undefined, raw: null }

export function newOutputRecord(out: OutputLine, limits: OutputLimits): OutputRecord {
  return {
    out,
    state: startState,
    row: undefined,
    claim: undefined,
    record: undefined,
    limits,
    device: undefined,
    fall: undefined,
    onStop: new AbortController(),
    endedBy: 'device',
    trouble: undefined,
    last: unread,
    tries: undefined,
    isReadFirst: false,
    isOffSent: false,
    offSinceMs: Infinity,
    lateOnAtMs: Infinity,
    going: undefined,
    waker: createWaker(),
    logFailure: undefined
  }
}
