import type { LineChange } from '../../../../preload/contract/device/lines.ts'

export interface WaveBox {
  nowMs: number
  windowMs: number
  width: number
  height: number
}

/** The SVG path of one line over the last `windowMs`: no line where its value is unknown, and off at the bottom. */
export function wavePath(changes: readonly LineChange[], { nowMs, windowMs, width, height }: WaveBox): string {
  const fromMs = nowMs - windowMs
  const x = (atMs: number) => (((Math.min(atMs, nowMs) - fromMs) / windowMs) * width).toFixed(1)
  const y = (on: boolean) => String(on ? 1 : height - 1)
  const before = changes.findLast(([atMs]) => atMs <= fromMs)
  const within = changes.filter(([atMs]) => atMs > fromMs && atMs <= nowMs)
  let path = ''
  let isDrawn = false
  for (const [atMs, on] of before ? [[fromMs, before[1]] as const, ...within] : within) {
    if (isDrawn) path += `H${x(atMs)}`
    if (on !== null) path += isDrawn ? `V${y(on)}` : `M${x(atMs)} ${y(on)}`
    isDrawn = on !== null
  }
  return isDrawn ? `${path}H${String(width)}` : path
}
