import fc from 'fast-check'
import { decodeTime, ulid } from 'ulid'
import { expect, test } from 'vitest'
import { jobIdOf } from '../../../../main/data/store/jobs/jobId.ts'

const entry = (at: number, data: string) => ({
  seq: 1,
  at: new Date(at).toISOString(),
  type: 'jobCreated',
  stepId: null,
  data
})
const times = fc.integer({ min: 0, max: 253_402_300_799_000 })

test('the id of a job is made of its first entry, is as long as a ULID, and comes after every ULID in the order of time', () => {
  fc.assert(
    fc.property(times, times, fc.string(), fc.string(), (one, other, said, more) => {
      const [first, second] = [jobIdOf(entry(one, said)), jobIdOf(entry(other, more))]
      expect(first).toMatch(/^[89A-F][0-9A-HJKMNP-TV-Z]{25}$/)
      expect(jobIdOf(entry(one, said))).toBe(first)
      expect(first > ulid(281_474_976_710_655)).toBe(true)
      if (one < other) expect(first < second).toBe(true)
      if (one !== other || said !== more) expect(first).not.toBe(second)
      expect(decodeTime(`${'01234567'['89ABCDEF'.indexOf(first.charAt(0))] ?? ''}${first.slice(1)}`)).toBe(one)
    })
  )
})
