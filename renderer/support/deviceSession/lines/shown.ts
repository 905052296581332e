import type { LaneOf, Layout } from '../../../base/instruments/charts/lanes/layout.ts'

/** The present state of a line, with its number of changes in the shown time. */
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

/** The height of one voltage below the title of its group. */
export function voltageRowPx({ voltages }: Layout, shown: readonly unknown[]): number {
  return Math.floor(((voltages?.heightPx ?? 0) - 18) / shown.length)
}
