import type { Message } from '../../preload/contract/messages.ts'
import type { Json } from '../../preload/contract/define.ts'
import type { AppError } from '../../preload/contract/errors.ts'
import type { GpsArea } from '../device/gps.ts'
import type { IoArea } from '../device/io.ts'
import type { SystemArea } from '../device/system.ts'

/** What switching an output needs of a device. The device client fits as it is. */
export interface OutputDevice {
  gps: Pick<GpsArea, 'position'>
  io: IoArea
  system: Pick<SystemArea, 'info'>
}

/** A line of the attempt journal: intent before the first byte, then what came back. */
export interface SwitchEntry {
  phase: 'intent' | 'answered' | 'unknown' | 'readBack'
  operation: string
  input: Json
  what: Message
  raw: Json
}

/** What the device said of an output; undefined where it cannot be read. */
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
  /** It was on for as long as it may be. */
  | { kind: 'time' }
  /** Nobody was looking any more. */
  | { kind: 'unwatched' }
  /** A person switched it off, or the work with it was stopped. */
  | { kind: 'asked' }

export type OnResult =
  /** Nothing was sent: these conditions do not hold. */
  | { kind: 'held'; missing: Message[] }
  /** Nothing was sent: the device did not prove who it is. */
  | { kind: 'notProved'; error: AppError }
  | { kind: 'on'; raw: Json }
  | { kind: 'fallen'; fall: Fall; raw: Json }
  /** The device, or something on the way to it, said no. */
  | { kind: 'refused'; error: AppError; raw: Json }
  /** The link was lost: nobody knows whether it went on. */
  | { kind: 'lost'; error: AppError; raw: Json }
  /** The device answered, and reads off all the same. */
  | { kind: 'notSeen'; raw: Json }

export type OffResult =
  | { kind: 'off'; raw: Json }
  /** It reads off, and an "on" whose answer was lost may still take effect: it is watched and switched off then. */
  | { kind: 'watched'; forMs: number; raw: Json }
  /** It may be on. Tried again as soon as the device answers. */
  | { kind: 'unproved'; error: AppError | undefined; raw: Json }
