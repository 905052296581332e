import { isOn, type LinesStory } from '../../../../preload/job/linesStory.ts'
import { wordsOf, type Wiring } from '../../../device/readings/linesText.ts'

export const outputNames = ['OUT1', 'OUT2', 'OUT3', 'OUT4'] as const
export type OutputName = (typeof outputNames)[number]

/** The last reading of an output. */
export interface SeenOutput {
  out: OutputName
  about: string
  on: boolean | null | undefined
  /** Null when the output was already on at the first reading. */
  onForS: number | null
  isShort: boolean
  /** Since a short circuit ended, for some minutes. */
  shortAgoS: number | null
  readAgoS: number | null
}

const rememberedMs = 600_000

/** The outputs of a device with their state from the story of the lines. */
export function seenOutputs(story: LinesStory, wiring: Wiring): SeenOutput[] {
  const { nowMs, readMs } = story
  return outputNames.map((out) => {
    const changes = story.lines.get(out) ?? []
    const on = isOn(story, out)
    const short = `SO${out.slice(3)}`
    const isShort = isOn(story, short) === true
    const shorts = story.lines.get(short) ?? []
    const shortEndMs = shorts.at(-1)?.[0] ?? 0
    const wasShort = shorts.at(-2)?.[1] === true
    return {
      out,
      about: wordsOf(out, wiring),
      on,
      onForS: on === true && changes.length > 1 ? Math.round((nowMs - (changes.at(-1)?.[0] ?? nowMs)) / 1000) : null,
      isShort,
      shortAgoS:
        !isShort && wasShort && nowMs - shortEndMs < rememberedMs ? Math.round((nowMs - shortEndMs) / 1000) : null,
      readAgoS: readMs === null ? null : Math.round((nowMs - readMs) / 100) / 10
    }
  })
}
