import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineStory, lineNames, type LineStory } from '../../../../main/device/client/lineStory.ts'
import type { IoState, Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { followLines, gapsOf, isOn, nextMark, voltageMv, type LinesStory } from '../../../../preload/job/linesStory.ts'

const startMs = Date.parse('2026-04-12T08:00:00Z')
const dayMs = 24 * 3_600_000
const resting: Sparse<IoState> = {
  ...Object.fromEntries(lineNames.map((name) => [name, false])),
  PWR: true,
  AN1: 12_600,
  AN2: 12_000,
  DAN: 0,
  BAT: 4_100
}

/** What a page knows that asked for everything just now. */
function whole(story: LineStory, nowMs: number): LinesStory {
  const news = story.news(null, nowMs)
  const known = followLines(null, { ...news, problem: null })
  if (!known) throw new Error('The whole story does not stand alone.')
  return known
}

describe('The story of the lines', () => {
  it('begins with how each line is, and tells changes only', () => {
    const story = createLineStory()
    story.take(startMs, resting)
    story.take(startMs + 250, { ...resting, IGN: true })
    story.take(startMs + 500, { ...resting, IGN: true })
    story.take(startMs + 750, resting)
    const { lines } = story.news(null, startMs + 750)
    expect(lines.map(({ name }) => name)).toEqual([...lineNames])
    expect(lines.find(({ name }) => name === 'IGN')?.changes).toEqual([
      [startMs, false],
      [startMs + 250, true],
      [startMs + 750, false]
    ])
    expect(lines.find(({ name }) => name === 'PWR')?.changes).toEqual([[startMs, true]])
  })

  it('says that a line cannot be read, and neither keeps its last value nor calls it off', () => {
    const story = createLineStory()
    story.take(startMs, { ...resting, IN1: true })
    story.take(startMs + 250, { ...resting, IN1: undefined, AN1: undefined })
    story.take(startMs + 500, { ...resting, IN1: true })
    const known = whole(story, startMs + 500)
    expect(known.lines.get('IN1')).toEqual([
      [startMs, true],
      [startMs + 250, null],
      [startMs + 500, true]
    ])
    expect(known.voltages.get('AN1')).toEqual([
      [startMs, 12_600, 12_600],
      [startMs + 250, null, null],
      [startMs + 500, 12_600, 12_600]
    ])
  })

  it('knows where nothing was read, and measures how far apart readings are', () => {
    const story = createLineStory(250)
    for (let n = 0; n < 8; n++) story.take(startMs + n * 200, resting)
    const lastMs = startMs + 7 * 200
    story.take(lastMs + 500, resting)
    story.take(lastMs + 1_001, resting)
    story.take(lastMs + 1_800, { ...resting, IN2: true })
    const known = whole(story, lastMs + 1_800)
    expect(known.gaps).toEqual([
      [lastMs + 500, lastMs + 1_001],
      [lastMs + 1_001, lastMs + 1_800]
    ])
    expect(known.pace).toEqual({ everyMs: 200, longestMs: 500 })
    // A silence that lasts is a gap before it ends.
    expect(gapsOf({ ...known, nowMs: lastMs + 1_900 })).toEqual(known.gaps)
    expect(gapsOf({ ...known, nowMs: lastMs + 4_000 }).at(-1)).toEqual([lastMs + 1_800, lastMs + 4_000])
  })

  it('is told whole once, and then only what is new', () => {
    const story = createLineStory()
    story.take(startMs, resting)
    story.take(startMs + 250, { ...resting, IGN: true })
    const first = whole(story, startMs + 250)
    story.take(startMs + 500, { ...resting, IGN: true, IN3: true })
    const news = story.news(nextMark(first), startMs + 500)
    expect(news.since).toBe(startMs + 250)
    expect(news.lines).toEqual([{ name: 'IN3', changes: [[startMs + 500, true]] }])
    expect(news.voltages.map(({ points }) => points.length)).toEqual([1, 1, 0, 1].map(() => 1))
    expect(story.news({ story: news.story, mark: news.mark }, startMs + 600).lines).toEqual([])
  })

  it('is told whole again after a mark of another story, or one that is too old', () => {
    const story = createLineStory()
    story.take(startMs, resting)
    const { story: id, mark } = story.news(null, startMs)
    expect(story.news({ story: 'another', mark }, startMs).since).toBeNull()
    for (let n = 1; n <= 24 * 60; n++) story.take(startMs + n * 1_000, resting)
    expect(story.news({ story: id, mark }, startMs + 1_440_000).since).toBeNull()
    expect(story.news({ story: id, mark: mark + 1_300_000 }, startMs + 1_440_000).since).toBe(mark + 1_300_000)
  })

  it('begins anew when the clock of the computer is set back: two times of day do not stand on one axis', () => {
    const story = createLineStory()
    story.take(startMs, resting)
    const before = story.news(null, startMs)
    story.take(startMs - 3_600_000, resting)
    const after = story.news({ story: before.story, mark: before.mark }, startMs - 3_600_000)
    expect([after.since, after.fromMs]).toEqual([null, startMs - 3_600_000])
    expect(after.story).not.toBe(before.story)
  })

  it('asked for piece by piece is the same as asked for whole', () => {
    const reading = fc.record({
      afterMs: fc.integer({ min: 1, max: 3_000 }),
      IGN: fc.option(fc.boolean(), { nil: undefined }),
      IN1: fc.boolean(),
      AN1: fc.option(fc.integer({ min: 0, max: 28_000 }), { nil: undefined }),
      isAsked: fc.boolean()
    })
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 150 }), (readings) => {
        const story = createLineStory()
        let known: LinesStory | null = null
        let atMs = startMs
        for (const { afterMs, isAsked, ...values } of readings) {
          atMs += afterMs
          story.take(atMs, { ...resting, ...values })
          if (isAsked) known = followLines(known, { ...story.news(nextMark(known), atMs), problem: null })
        }
        expect(followLines(known, { ...story.news(nextMark(known), atMs), problem: null })).toEqual(whole(story, atMs))
      })
    )
  })

  it('is taken by who has asked for the whole meanwhile, and refused by who has missed something', () => {
    const story = createLineStory()
    story.take(startMs, resting)
    const early = whole(story, startMs)
    story.take(startMs + 250, { ...resting, IGN: true })
    const asked = whole(story, startMs + 250)
    story.take(startMs + 500, resting)
    const news = { ...story.news(nextMark(early), startMs + 500), problem: null }
    expect(followLines(asked, news)?.lines.get('IGN')).toEqual([
      [startMs, false],
      [startMs + 250, true],
      [startMs + 500, false]
    ])
    expect(followLines(early, { ...news, since: startMs + 250 })).toBeNull()
    expect(followLines(null, news)).toBeNull()
  })

  it('says what a line and a voltage are now', () => {
    const story = createLineStory()
    expect([isOn(null, 'PWR'), voltageMv(null, 'AN1')]).toEqual([undefined, null])
    story.take(startMs, { ...resting, MOT: undefined, DAN: undefined })
    const known = whole(story, startMs)
    expect([isOn(known, 'PWR'), isOn(known, 'IGN'), isOn(known, 'MOT')]).toEqual([true, false, null])
    expect([voltageMv(known, 'AN1'), voltageMv(known, 'DAN')]).toEqual([12_600, null])
  })
})

describe('After days of readings', () => {
  const story = createLineStory()
  const everyMs = 250
  const count = 1_036_800
  // Three days at four readings a second, with a line that never rests, a dip each hour, and half an hour of silence.
  for (let n = 0; n < count; n++) {
    const atMs = startMs + n * everyMs
    const isSilent = n % 57_600 < 7_200
    if (isSilent) continue
    story.take(atMs, {
      ...resting,
      IN5: n % 2 === 0,
      IGN: n % 14_400 < 7_200,
      AN1: n % 14_400 === 9_000 ? 9_900 : 12_600
    })
  }
  const nowMs = startMs + (count - 1) * everyMs
  const known = whole(story, nowMs)

  it('the last day is there, and nothing that grows for ever', () => {
    expect(known.fromMs).toBe(nowMs - dayMs)
    expect(JSON.stringify(story.news(null, nowMs)).length).toBeLessThan(1_500_000)
    expect(known.lines.get('IGN')?.[0]?.[0]).toBeLessThanOrEqual(nowMs - dayMs + 3_600_000)
    expect(known.lines.get('IN5')?.length).toBe(10_000)
    for (const points of known.voltages.values()) expect(points.length).toBeLessThan(8_640 * 2 + 2_400 + 40)
  })

  it('no dip of a voltage is lost, and each silence is still a gap', () => {
    const dips = known.voltages.get('AN1')?.filter(([, leastMv]) => leastMv === 9_900).length ?? 0
    expect(dips).toBeGreaterThanOrEqual(20)
    const hoursOfSilence = known.gaps.filter(([fromMs, toMs]) => toMs - fromMs > 1_700_000).length
    expect(hoursOfSilence).toBe(6)
  })
})
