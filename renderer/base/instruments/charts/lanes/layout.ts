import type { LineChange } from '../../../../../preload/contract/device/lines.ts'

/** A line to draw. */
export interface LaneOf {
  line: string
  /** The line's meaning in words; empty when unknown. */
  about: string
  tone: 'live' | 'warn' | 'fail'
  /** The expected course, dashed beside the observed one. */
  expected?: readonly LineChange[]
}
export interface LaneGroup {
  title: string
  lanes: readonly LaneOf[]
}

export interface PlacedLane extends LaneOf {
  topPx: number
  heightPx: number
}
export interface Layout {
  titles: { text: string; topPx: number; heightPx: number }[]
  lanes: PlacedLane[]
  voltages: { topPx: number; heightPx: number } | null
  /** Height of the lanes and voltages together; the time axis is below. */
  heightPx: number
}

export const axisPx = 22
const leastLanePx = 15
const mostLanePx = 28

interface Room {
  heightPx: number
  hasVoltages: boolean
  /** A fixed lane height instead of one that fills the space. */
  lanePx?: number
  /** Space for labels above the lanes. */
  abovePx?: number
}

/** Every lane is visible: as high as the space allows, and never too low to read. */
export function placeLanes(groups: readonly LaneGroup[], { heightPx, hasVoltages, lanePx, abovePx = 0 }: Room): Layout {
  const count = groups.reduce((sum, { lanes }) => sum + lanes.length, 0)
  const titled = groups.filter(({ title }) => title !== '').length
  const isLow = heightPx < 480
  const titlePx = lanePx === undefined ? (isLow ? 16 : 20) : 18
  const marginPx = isLow ? 2 : 4
  const voltagesPx = hasVoltages ? (isLow ? 68 : 86) : 0
  const restPx = heightPx - axisPx - voltagesPx - titled * (titlePx + marginPx) - (hasVoltages ? marginPx : 0)
  const lane = lanePx ?? Math.min(mostLanePx, Math.max(leastLanePx, Math.floor(restPx / Math.max(1, count))))
  const layout: Layout = { titles: [], lanes: [], voltages: null, heightPx: 0 }
  let topPx = abovePx
  for (const { title, lanes } of groups) {
    if (title !== '') {
      layout.titles.push({ text: title, topPx: topPx + marginPx, heightPx: titlePx })
      topPx += titlePx + marginPx
    }
    for (const one of lanes) {
      layout.lanes.push({ ...one, topPx, heightPx: lane })
      topPx += lane
    }
  }
  if (hasVoltages) {
    layout.voltages = { topPx: topPx + marginPx, heightPx: voltagesPx }
    topPx += voltagesPx + marginPx
  }
  return { ...layout, heightPx: topPx }
}

/** Round voltages around the drawn values: the ends of the scale, and its labels. */
export function voltScale(leastMv: number, mostMv: number): { fromMv: number; toMv: number; ticksMv: number[] } {
  const stepMv =
    [500, 1_000, 2_000, 5_000, 10_000].find((step) => Math.ceil(mostMv / step) - Math.floor(leastMv / step) <= 4) ??
    10_000
  const fromMv = Math.max(0, Math.floor((leastMv - stepMv * 0.1) / stepMv) * stepMv)
  const toMv = Math.max(fromMv + 2 * stepMv, Math.ceil((mostMv + stepMv * 0.1) / stepMv) * stepMv)
  const ticksMv: number[] = []
  for (let mv = fromMv; mv <= toMv; mv += stepMv) ticksMv.push(mv)
  return { fromMv, toMv, ticksMv }
}
