import type { Message } from '../../../preload/contract/messages.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { AppError } from '../../../preload/contract/errors.ts'
import type { GpsArea } from '../../device/client/gps.ts'
import type { IoArea } from '../../device/client/io.ts'
import type { SystemArea } from '../../device/client/system.ts'

/** What switching an output needs from a device. The device client has this shape. */
export interface OutputDevice {
  gps: Pick<GpsArea, 'position'>
  io: IoArea
  system: Pick<SystemArea, 'info'>
}

/** An entry of the attempt journal: intent before the first byte, then the answer. */
export interface SwitchEntry {
  phase: 'intent' | 'answered' | 'unknown' | 'readBack'
  operation: string
  input: Json
  what: Message
  raw: Json
}

export interface OutputReading {
  on: boolean | undefined
  isShort: boolean | undefined
  raw: Json
}

/** Why an output that was on, or about to go on, was switched off. */
export type Fall =
  | { kind: 'conditions'; what: Message[] }
  | { kind: 'short' }
  | { kind: 'shortUnreadable' }
  | { kind: 'otherDevice'; error: AppError }
  /** Its time was over. */
  | { kind: 'time' }
  /** Nobody was watching any more. */
  | { kind: 'unwatched' }
  /** A person switched it off, or the work with it was stopped. */
  | { kind: 'asked' }
  /** The computer slept: nobody watched its conditions meanwhile. */
  | { kind: 'asleep' }

export type OnResult =
  /** Nothing was sent: these conditions are not met. */
  | { kind: 'held'; missing: Message[] }
  /** Nothing was sent: the device did not prove its identity. */
  | { kind: 'notProved'; error: AppError }
  | { kind: 'on'; raw: Json }
  | { kind: 'fallen'; fall: Fall; raw: Json }
  /** The device, or something in between, refused. */
  | { kind: 'refused'; error: AppError; raw: Json }
  /** The connection was lost: it is unknown whether it went on. */
  | { kind: 'lost'; error: AppError; raw: Json }
  /** The device answered, and reads off anyway. */
  | { kind: 'notSeen'; raw: Json }

/** Who says that an output is off. */
export type OffWitness = 'device' | 'gateway' | 'person'

export type OffResult =
  | { kind: 'off'; by: OffWitness; raw: Json }
  /** It reads off, and an unanswered "on" may still take effect: it is watched and would be switched off. */
  | { kind: 'watched'; forMs: number; raw: Json }
  /** It may be on. Tried again when the device answers. */
  | { kind: 'unproved'; error: AppError | undefined; raw: Json }
