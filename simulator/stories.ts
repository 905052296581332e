import type { InputLine, KeyPosition } from './vehicle/lines.ts'

export const storyNames = ['parked', 'installation', 'installation-fast', 'drive', 'test-trip'] as const
export type StoryName = (typeof storyNames)[number]

export type StoryAct =
  { do: 'key'; to: KeyPosition } | { do: 'input'; line: InputLine; on: boolean } | { do: 'drive'; on: boolean }

export interface Story {
  name: StoryName
  /** The actions repeat after this time. */
  cycleMs: number
  acts: { atMs: number; act: StoryAct }[]
  /** True if the person leaves the key alone while an output is on, because someone is testing it. */
  waitsForOutputs: boolean
}

const key = (atMs: number, to: KeyPosition) => ({ atMs, act: { do: 'key', to } as StoryAct })
const press = (atMs: number, forMs: number, line: InputLine) => [
  { atMs, act: { do: 'input', line, on: true } as StoryAct },
  { atMs: atMs + forMs, act: { do: 'input', line, on: false } as StoryAct }
]

function byTime(acts: Story['acts']): Story['acts'] {
  return acts.toSorted((a, b) => a.atMs - b.atMs)
}

const stories: Record<StoryName, Story> = {
  parked: { name: 'parked', cycleMs: 60_000, acts: [], waitsForOutputs: false },

  // Key off-on-off twice, engine for 40 s, both inputs twice, then no action with the engine off for over half a
  // minute.
  installation: {
    name: 'installation',
    cycleMs: 112_000,
    waitsForOutputs: true,
    acts: byTime([
      key(0, 'off'),
      key(3_000, 'on'),
      key(7_000, 'off'),
      key(11_000, 'on'),
      key(15_000, 'off'),
      key(19_000, 'on'),
      key(22_000, 'crank'),
      key(63_000, 'off'),
      ...press(66_000, 2_000, 'IN1'),
      ...press(70_000, 2_000, 'IN1'),
      ...press(68_000, 2_000, 'IN2'),
      ...press(72_000, 2_000, 'IN2')
    ])
  },

  // The same in 26 s, for automatic runs: every state lasts at least a second, so that polling does not miss it.
  'installation-fast': {
    name: 'installation-fast',
    cycleMs: 26_000,
    waitsForOutputs: true,
    acts: byTime([
      key(0, 'off'),
      key(500, 'on'),
      key(1_700, 'off'),
      key(2_900, 'on'),
      key(4_100, 'off'),
      key(5_300, 'on'),
      key(6_300, 'crank'),
      key(11_000, 'off'),
      ...press(11_500, 1_000, 'IN1'),
      ...press(13_500, 1_000, 'IN1'),
      ...press(12_000, 1_000, 'IN2'),
      ...press(14_000, 1_000, 'IN2')
    ])
  },

  drive: {
    name: 'drive',
    cycleMs: 24 * 3_600_000,
    waitsForOutputs: false,
    acts: [{ atMs: 0, act: { do: 'drive', on: true } }]
  },

  // Once around the block: five minutes of driving, then a long stop.
  'test-trip': {
    name: 'test-trip',
    cycleMs: 3_600_000,
    waitsForOutputs: true,
    acts: [
      { atMs: 2_000, act: { do: 'drive', on: true } },
      { atMs: 302_000, act: { do: 'drive', on: false } },
      key(330_000, 'off')
    ]
  }
}

export function findStory(name: StoryName): Story {
  return stories[name]
}
