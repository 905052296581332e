import { expect, it } from 'vitest'
import { createPace } from '../../../main/team/push/pace.ts'

it('a server that is quick gets more in one call, up to what one call carries', () => {
  const pace = createPace()
  const first = pace.size().jobs
  for (let call = 0; call < 10; call++) pace.took(20)
  expect(pace.size()).toEqual({ jobs: 400, entries: 2_000, bytes: 4_000_000 })
  expect(first).toBeLessThan(50)
})

it('a way that is slow never makes it one job for each call', () => {
  const pace = createPace()
  for (let call = 0; call < 10; call++) pace.took(20)
  for (let call = 0; call < 20; call++) pace.took(1_500)
  expect(pace.size().jobs).toBe(50)
})

it('where the time was up it is less each time, down to one job', () => {
  const pace = createPace()
  const sizes = [pace.size().jobs]
  while (pace.less()) sizes.push(pace.size().jobs)
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  expect(sizes.at(-1)).toBe(1)
})

it('a call that is neither quick nor slow changes nothing', () => {
  const pace = createPace()
  const first = pace.size()
  for (const ms of [300, 500, 700]) pace.took(ms)
  expect(pace.size()).toEqual(first)
  pace.took(299)
  expect(pace.size()).toEqual({ jobs: 50, entries: 250, bytes: 500_000 })
})

it('a slow call halves the next one, and leaves a small one as it is', () => {
  const pace = createPace()
  pace.took(1_500)
  expect(pace.size().jobs).toBe(25)
  for (let call = 0; call < 10; call++) pace.took(20)
  pace.took(700)
  expect(pace.size().jobs).toBe(400)
  pace.took(701)
  expect(pace.size().jobs).toBe(200)
})

it('where the time was up the next call is an eighth', () => {
  const pace = createPace()
  expect([pace.size().jobs, pace.less(), pace.size().jobs, pace.less(), pace.size().jobs, pace.less()]).toEqual([
    25,
    true,
    3,
    true,
    1,
    false
  ])
  expect(pace.size()).toEqual({ jobs: 1, entries: 50, bytes: 100_000 })
})
