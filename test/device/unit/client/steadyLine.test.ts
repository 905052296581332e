import { describe, expect, it } from 'vitest'
import type { LineChange } from '../../../../main/device/client/lineRecorder.ts'
import { steadyOf } from '../../../../main/device/client/steadyLine.ts'

/** Readings as the recorder keeps them: [time in ms, level]. */
function storyOf(readings: readonly (readonly [atMs: number, on: boolean])[]): LineChange[] {
  const story: LineChange[] = []
  for (const [atMs, on] of readings) {
    const last = story.at(-1)
    if (last?.on === on) last.untilMs = atMs
    else story.push({ atMs, untilMs: atMs, on, readAt: '' })
  }
  return story
}

/** On for two seconds, off in one reading, on for two seconds; read every `gapMs` around it. */
const dip = (gapMs: number) =>
  storyOf([
    ...[0, 500, 1_000, 1_500, 2_000].map((atMs) => [atMs, true] as const),
    [2_000 + gapMs, false],
    ...[0, 500, 1_000].map((atMs) => [2_000 + 2 * gapMs + atMs, true] as const)
  ])

describe('a level in a single reading', () => {
  it.each([250, 500, 900])('was too short for a hand when it was read every %i ms', (gapMs) => {
    const { drops, levels } = steadyOf(dip(gapMs))
    expect([drops, levels.length]).toEqual([[{ atMs: 2_000 + gapMs, forMs: gapMs, from: true }], 1])
  })

  it.each([1_200, 3_000, 5_400])('may have lasted when nothing was read for %i ms: no drop, and no turn', (gapMs) => {
    const { drops, levels } = steadyOf(dip(gapMs))
    expect([drops, levels.length]).toEqual([[], 1])
  })
})

it('a contact that bounces for seconds is a drop, as long as it was watched', () => {
  const bouncing = storyOf([
    [0, true],
    [1_000, true],
    ...Array.from({ length: 12 }, (_, n) => [1_250 + 250 * n, n % 2 === 1] as const),
    [4_250, true],
    [5_000, true]
  ])
  expect(steadyOf(bouncing).drops).toEqual([{ atMs: 1_250, forMs: 2_750, from: true }])
})
