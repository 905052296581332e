import { readTokens } from '../../../ui/theme.ts'
import type { LanesPicture } from './paint.ts'

export type LaneColours = LanesPicture['colours']
export const voltageTokens = ['--c2', '--c3', '--c4', '--c1'] as const

const tokens: { readonly [Name in keyof LaneColours]: string } = {
  trace: '--trace',
  traceSoft: '--trace-soft',
  warn: '--warn',
  warnSoft: '--warn-soft',
  fail: '--fail',
  failSoft: '--fail-soft',
  grid: '--grid',
  muted: '--muted',
  text: '--text',
  panel: '--panel'
}

/** The colours of the lanes in the current theme. */
export function readLaneColours(): { colours: LaneColours; voltages: string[]; font: string } {
  const { mono } = readTokens({ mono: '--mono' })
  return {
    colours: readTokens(tokens),
    voltages: voltageTokens.map((token) => readTokens({ token }).token),
    font: `11px ${mono}`
  }
}
