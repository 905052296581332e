import type { Series } from '../../../../preload/base/signals/series.ts'

/** One signal on a chart. */
export interface ChartLine {
  id: string
  /** The display name. */
  name: string
  series: Series
  /** The witness: the device's lines have a disc, the gateway's a diamond. */
  witness?: 'device' | 'gateway' | undefined
  /** One of the four line colours, each with its own dash pattern. By position in the list when left out. */
  colour?: 1 | 2 | 3 | 4 | undefined
}

/** A value that divides good from bad, drawn with its label. */
export interface ChartLimit {
  value: number
  text: string
}

/** The colour token of a line, by its witness or its number. */
export function colourOf(
  { witness, colour }: ChartLine,
  index: number
): 'device' | 'gateway' | 'c1' | 'c2' | 'c3' | 'c4' {
  if (witness) return witness
  return `c${colour ?? (((index % 4) + 1) as 1 | 2 | 3 | 4)}`
}

const dashes: Readonly<Record<ReturnType<typeof colourOf>, readonly number[]>> = {
  device: [],
  gateway: [6, 4],
  c1: [],
  c2: [7, 3],
  c3: [2, 3],
  c4: [9, 3, 2, 3]
}

export function dashOf(line: ChartLine, index: number): number[] {
  return [...dashes[colourOf(line, index)]]
}
