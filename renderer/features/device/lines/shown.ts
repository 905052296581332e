import type { LaneOf } from '../../../instruments/charts/lanes/layout.ts'

/** A line as it is now, with how often it changed in what is shown. */
export interface ShownLine extends LaneOf {
  on: boolean | null | undefined
  changes: number
}
export interface ShownVoltage {
  name: string
  about: string
  isDrawn: boolean
  valueMv: number | null
}
