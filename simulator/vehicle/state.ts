import type { StoryName } from '../stories.ts'
import type { InputLine, KeyPosition, OutputLine } from './lines.ts'

export interface VehicleOptions {
  seed?: number
  /** Clock in Unix milliseconds; the vehicle computes its past at every read and action. */
  now?: () => number
  systemVolts?: 12 | 24
  story?: StoryName
  /** The story that `setHelper(true)` plays. */
  helperStory?: StoryName
}

export type VehicleLine =
  'key' | 'engine' | 'moving' | 'IGN' | 'TIG' | 'PWR' | InputLine | OutputLine | 'SO1' | 'SO2' | 'SO3' | 'SO4'
export interface VehicleChange {
  atMs: number
  line: VehicleLine
  value: boolean | KeyPosition
}
