import { computed, type Ref } from 'vue'
import { useWindowFits } from '../../../ui/useWindowFits.ts'

/** Positions of the parts of the events chart, in CSS pixels from the top. */
export interface EventsLayout {
  happened: Band
  fan: Band
  arrived: Band
  /** Labels of what stands out. */
  plates: Band
  lanes: Band[]
  /** The time labels are below this. */
  axisPx: number
  heightPx: number
}
export interface Band {
  topPx: number
  heightPx: number
}

/** The axis labels are left of this. */
export const padPx = 40
const axisHeightPx = 24
const aboveHeightPx = 4

export type Room = 'high' | 'low' | 'least'

/** The room for charts in the present height of the window. */
export function useRoom(): Readonly<Ref<Room>> {
  const [isLeast, isLow] = [useWindowFits('(max-height: 719px)'), useWindowFits('(max-height: 879px)')]
  return computed(() => (isLeast.value ? 'least' : isLow.value ? 'low' : 'high'))
}

/** Heights of the bars, the fan and each lane. */
const rooms: Readonly<Record<Room, readonly [number, number, number]>> = {
  high: [48, 40, 52],
  low: [30, 24, 40],
  least: [22, 18, 40]
}
const platesPx = 24
/** In a low window the list needs the room of further lanes. */
export const mostLanes: Readonly<Record<Room, number>> = { high: 6, low: 4, least: 1 }

/** In a tall window every part is higher; in a low one each part has the smallest readable height. */
export function layEventsOut({ lanes, room }: { lanes: number; room: Room }): EventsLayout {
  const [barsPx, fanPx, lanePx] = rooms[room]
  const happened = { topPx: aboveHeightPx, heightPx: barsPx }
  const fan = { topPx: happened.topPx + barsPx, heightPx: fanPx }
  const arrived = { topPx: fan.topPx + fanPx, heightPx: Math.round(barsPx * 0.8) }
  const plates = { topPx: arrived.topPx + arrived.heightPx, heightPx: platesPx }
  const first = plates.topPx + platesPx
  const axisPx = first + lanes * lanePx
  return {
    happened,
    fan,
    arrived,
    plates,
    lanes: Array.from({ length: lanes }, (_, index) => ({ topPx: first + index * lanePx, heightPx: lanePx - 8 })),
    axisPx,
    heightPx: axisPx + axisHeightPx
  }
}

/** The marks of the time axis, at full minutes, hours and days of the person's clock. */
export function timeTicks(
  { fromMs, toMs }: { fromMs: number; toMs: number },
  most: number,
  offsetMs: number
): number[] {
  const minutes = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 7_200, 14_400, 43_200]
  const step = (minutes.find((one) => (toMs - fromMs) / one / 60_000 <= most) ?? 43_200) * 60_000
  const ticks: number[] = []
  for (let atMs = Math.ceil((fromMs + offsetMs) / step) * step - offsetMs; atMs <= toMs; atMs += step) ticks.push(atMs)
  return ticks
}

/**
 * Where a plate stands: its middle. `isBefore`: it ends where its time begins, if there is room; otherwise it is in the
 * middle of its time.
 */
export function placePlate(
  { fromPx, toPx, textPx, isBefore }: { fromPx: number; toPx: number; textPx: number; isBefore: boolean },
  taken: [number, number][],
  widthPx: number
): number | null {
  const halfPx = textPx / 2 + 9
  const beside = fromPx - 4 - halfPx * 2 >= padPx ? fromPx - 4 - halfPx : fromPx + 4 + halfPx
  const wanted = isBefore ? beside : (Math.max(fromPx, padPx) + Math.min(toPx, widthPx)) / 2
  const middle = Math.min(Math.max(wanted, padPx + halfPx), Math.max(padPx + halfPx, widthPx - halfPx))
  const [left, right] = [middle - halfPx, middle + halfPx]
  if (taken.some(([from, to]) => left < to + 4 && right > from - 4)) return null
  taken.push([left, right])
  return middle
}
