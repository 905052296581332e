import { expect, test } from 'vitest'
import { isDue, surplusCopies, type RotatedCopy } from '../../../../main/data/store/backups/rotation.ts'

const dayMs = 86_400_000
const beganMs = Date.parse('2026-01-01T02:00:00.000Z')

function copyAt(day: number, mark: Partial<RotatedCopy['mark']> | null = {}): RotatedCopy {
  const madeAt = new Date(beganMs + day * dayMs).toISOString()
  return { file: `fitter-${madeAt}`, madeAt, mark: mark && { jobs: day, newestAt: madeAt, findings: 0, ...mark } }
}

/** Makes one copy a day and takes away what goes, as long as the clock runs. */
function runDays(
  days: number,
  present: RotatedCopy[] = [],
  each: (kept: RotatedCopy[], day: number) => void = () => undefined
): RotatedCopy[] {
  let kept = present
  for (let day = 0; day < days; day++) {
    const made = copyAt(day)
    kept = [made, ...kept]
    const gone = surplusCopies(kept, made, beganMs + day * dayMs)
    kept = kept.filter((one) => !gone.includes(one))
    each(kept, day)
  }
  return kept
}

function agesOf(kept: RotatedCopy[], day: number): number[] {
  return kept
    .map(({ madeAt }) => Math.round((beganMs + day * dayMs - Date.parse(madeAt)) / dayMs))
    .sort((a, b) => a - b)
}

test('a year of daily copies keeps three: the newest, one of up to a week and one of one to five weeks', () => {
  runDays(400, [], (kept, day) => {
    const ages = agesOf(kept, day)
    expect(ages.length).toBeLessThanOrEqual(3)
    expect(ages[0]).toBe(0)
    if (day < 40) return
    expect(ages[1]).toBeGreaterThanOrEqual(1)
    expect(ages[1]).toBeLessThanOrEqual(8)
    expect(ages[2]).toBeGreaterThanOrEqual(7)
    expect(ages[2]).toBeLessThanOrEqual(36)
  })
})

test('copies that are made one after the other on one day replace each other, not the old ones', () => {
  const kept = runDays(60)
  let present = kept
  for (let minute = 1; minute <= 10; minute++) {
    const made = copyAt(59 + minute / 1_440)
    const gone = surplusCopies([made, ...present], made, Date.parse(made.madeAt))
    present = [made, ...present].filter((one) => !gone.includes(one))
  }
  expect(present).toHaveLength(3)
  expect(agesOf(present, 59).slice(1)).toEqual(agesOf(kept, 59).slice(1))
})

test('a copy in which something was found replaces no good one, only another such copy', () => {
  const kept = runDays(60)
  const bad = copyAt(60, { findings: 3 })
  expect(surplusCopies([bad, ...kept], bad, Date.parse(bad.madeAt))).toEqual([])
  const worse = copyAt(61, { findings: 4 })
  expect(surplusCopies([worse, bad, ...kept], worse, Date.parse(worse.madeAt))).toEqual([bad])
  const good = copyAt(62)
  expect(surplusCopies([good, bad, ...kept], good, Date.parse(good.madeAt))).toContain(bad)
})

test('a copy of a file that lost jobs replaces none that has them, and goes on in their place once there is as much again', () => {
  const kept = runDays(60)
  let present = kept
  for (let day = 60; day < 70; day++) {
    const made = copyAt(day, { jobs: day - 60, newestAt: new Date(beganMs + day * dayMs).toISOString() })
    const gone = surplusCopies([made, ...present], made, Date.parse(made.madeAt))
    present = [made, ...present].filter((one) => !gone.includes(one))
    for (const old of kept) expect(present).toContain(old)
    expect(present.length).toBeLessThanOrEqual(6)
  }
  const whole = copyAt(70, { jobs: 1_000 })
  expect(surplusCopies([whole, ...present], whole, Date.parse(whole.madeAt)).length).toBe(present.length - 2)
})

test('one that cannot be read is never taken away, and does not count', () => {
  const unreadable = copyAt(59.5, null)
  const kept = runDays(60)
  const made = copyAt(60)
  expect(surplusCopies([made, unreadable, ...kept], made, Date.parse(made.madeAt))).not.toContain(unreadable)
})

test('it is time for another when the newest is older than a day, cannot be read, or is dated into the future', () => {
  expect(isDue([], beganMs)).toBe(true)
  expect(isDue([copyAt(0)], beganMs + 0.9 * dayMs)).toBe(false)
  expect(isDue([copyAt(0)], beganMs + 1.01 * dayMs)).toBe(true)
  expect(isDue([copyAt(0, null)], beganMs)).toBe(true)
  expect(isDue([copyAt(300)], beganMs)).toBe(true)
})
