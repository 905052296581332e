import { readTokens } from '../../ui/theme.ts'

/** The tokens that a canvas draws with. */
const tokens = {
  text: '--text',
  muted: '--muted',
  faint: '--faint',
  panel: '--panel',
  grid: '--grid',
  line: '--line',
  warn: '--warn',
  accent: '--accent',
  device: '--device',
  gateway: '--gateway',
  c1: '--c1',
  c2: '--c2',
  c3: '--c3',
  c4: '--c4',
  font: '--font',
  mono: '--mono'
} as const

export type ChartColours = Record<keyof typeof tokens, string>

/** The colours and fonts of the current theme. */
export function readColours(): ChartColours {
  return readTokens(tokens)
}
