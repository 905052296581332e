import { describe, expect, it } from 'vitest'
import type { LineChange, LineName } from '../../../../../main/device/client/lineRecorder.ts'
import {
  ignitionFault,
  powerDrops,
  powerFault,
  wiringCauses,
  type LineHistory
} from '../../../../../main/job/jobs/engine/wiring.ts'
import { english } from '../../../../world/window/english.ts'

/** Lines that change at these times, from off; a line that is on from the beginning begins with 0. */
function history(times: Partial<Record<LineName, number[]>>): LineHistory {
  const story = (line: LineName): LineChange[] => {
    const changes = times[line] ?? []
    const first = changes[0] === 0 ? [] : [{ atMs: 0, untilMs: (changes[0] ?? Infinity) - 1, on: false, readAt: '' }]
    return [
      ...first,
      ...changes.map((atMs, index) => ({
        atMs,
        untilMs: (changes[index + 1] ?? Infinity) - 1,
        on: index % 2 === 0,
        readAt: ''
      }))
    ]
  }
  return { story, changes: (line) => story(line).slice(1) }
}
const drops = (times: Partial<Record<LineName, number[]>>) =>
  powerDrops(history({ PWR: [0, 10_000, 11_200], ...times }), 60_000)

describe('External power that drops', () => {
  it.each<[string, Partial<Record<LineName, number[]>>, string | undefined]>([
    ['while the engine is cranked, which then runs', { IGN: [8_000], TIG: [13_000] }, 'dropsWhileCranking'],
    [
      'at each of two starts',
      { PWR: [0, 10_000, 11_200, 40_000, 41_000], IGN: [8_000, 30_000, 38_000], TIG: [13_000, 30_500, 43_000] },
      'dropsWhileCranking'
    ],
    ['as the key is turned off', { IGN: [2_000, 10_000] }, 'switchedFeed'],
    ['a reading after the key was turned off', { IGN: [2_000, 9_750] }, 'switchedFeed'],
    ['while the key is on', { IGN: [2_000] }, 'switchedFeed'],
    ['while the engine runs already', { IGN: [2_000], TIG: [4_000] }, 'switchedFeed'],
    ['while the key is off', {}, 'powerFlickers'],
    [
      'at a start and also while nothing happens',
      { PWR: [0, 10_000, 11_200, 40_000, 40_500], IGN: [8_000, 30_000], TIG: [13_000, 30_500] },
      'powerFlickers'
    ],
    ['never', { PWR: [0], IGN: [8_000] }, undefined]
  ])('%s', (_when, times, fault) => {
    expect(powerFault(drops(times))).toBe(fault)
  })

  it('is measured until it is back, or until now', () => {
    expect(drops({}).map(({ atMs, forMs }) => [atMs, forMs])).toEqual([[10_000, 1_200]])
    expect(drops({ PWR: [0, 10_000] }).map(({ forMs }) => forMs)).toEqual([50_000])
  })

  it('was no drop where it was never there', () => {
    expect(drops({ PWR: [] })).toEqual([])
  })
})

describe('The ignition wire', () => {
  it.each<[string, Partial<Record<LineName, number[]>>, string | undefined]>([
    ['is missing where the engine runs without it', { TIG: [5_000] }, 'ignitionWireMissing'],
    ['hangs on a permanent feed where it is never off', { IGN: [0], TIG: [5_000, 9_000] }, 'ignitionOnPermanentFeed'],
    ['is not blamed before anything moved', {}, undefined],
    [
      'is not blamed where it follows the key and TIG is silent: the vehicle may be electric',
      { IGN: [5_000, 9_000] },
      undefined
    ]
  ])('%s', (_what, times, fault) => {
    expect(ignitionFault(history(times))).toBe(fault)
  })
})

it('Each fault of the wiring has words of its own', () => {
  const words = Object.values(wiringCauses).map(english)
  expect(new Set(words).size).toBe(words.length)
})
