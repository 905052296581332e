import type { StoryName } from '../stories.ts'
import type { InputLine, KeyPosition, OutputLine } from './lines.ts'
import type { Fix } from './track.ts'

export interface VehicleOptions {
  seed?: number
  /** Clock in Unix milliseconds; the vehicle computes its past at every read and action. */
  now?: () => number
  systemVolts?: 12 | 24
  story?: StoryName
  /** The story that `setHelper(true)` plays. */
  helperStory?: StoryName
}

export interface VehicleState {
  atMs: number
  key: KeyPosition
  isCranking: boolean
  engineOn: boolean
  rpm: number
  /** At the vehicle's battery, even if the device's wire is cut. */
  supplyMv: number
  powerCut: boolean
  starterBlocked: boolean
  isMoving: boolean
  story: StoryName
  helper: boolean
  /** Lines as the device sees them. */
  ignition: boolean
  ignitionByRipple: boolean
  power: boolean
  inputs: Record<InputLine, boolean>
  outputs: Record<OutputLine, boolean>
  shorts: Record<OutputLine, boolean>
  an1Mv: number
  an2Mv: number
  danMv: number
  internalBatteryMv: number
  fix: Fix
  distanceM: number
  odometerM: number
  ignitionS: number
  idleS: number
  /** True when the engine has run, so that an engine bus was alive. */
  engineHasRun: boolean
}

export type VehicleLine =
  | 'key' | 'engine' | 'moving' | 'IGN' | 'TIG' | 'PWR' | InputLine | OutputLine | 'SO1' | 'SO2' | 'SO3' | 'SO4'
export interface VehicleChange {
  atMs: number
  line: VehicleLine
  value: boolean | KeyPosition
}
