import { describe, expect, it } from 'vitest'
import {
  completeLimits,
  outputLimits,
  storedOutputLimits,
  type OutputLimits
} from '../../../../main/job/outputs/limits.ts'

const shipped: OutputLimits = {
  holdToArmMs: 1,
  countdownS: 2,
  readBackS: 3,
  standstillKmh: 4,
  fixAgeS: 5,
  conditionsWithinS: 6,
  effectWithinS: 7,
  linesFreshS: 8,
  stillS: 3,
  silenceS: 9,
  mostOnS: 10,
  watchedWithinS: 11,
  identityEveryS: 12,
  offWithinS: 13,
  lateOnS: 14,
  answeredOnS: 15,
  quitWithinS: 16,
  gatewayHoldMs: 17,
  gatewayFreshS: 18,
  gatewayAheadS: 19,
  gatewayExpiresS: 20,
  gatewayMostOnS: 60
}
const addedLater = [
  'linesFreshS',
  'stillS',
  'silenceS',
  'mostOnS',
  'watchedWithinS',
  'identityEveryS',
  'offWithinS',
  'lateOnS',
  'answeredOnS',
  'quitWithinS',
  'gatewayHoldMs',
  'gatewayFreshS',
  'gatewayAheadS',
  'gatewayExpiresS',
  'gatewayMostOnS'
] as const
const without = (name: string) => Object.fromEntries(Object.entries(shipped).filter(([other]) => other !== name))

describe('The limits of an output', () => {
  it('of a job win over those that ship, and are completed by them', () => {
    expect(completeLimits({ standstillKmh: 0.5, silenceS: undefined }, shipped)).toEqual({
      ...shipped,
      standstillKmh: 0.5
    })
    expect(completeLimits({ silenceS: 0 }, shipped)).toEqual({ ...shipped, silenceS: 0 })
    expect(completeLimits({}, shipped)).toEqual(shipped)
  })

  it.each(Object.keys(shipped))('need %s in a profile, as a number, and nothing that nobody knows', (name) => {
    expect(outputLimits.safeParse(shipped).success).toBe(true)
    expect(outputLimits.safeParse(without(name)).success).toBe(false)
    expect(outputLimits.safeParse({ ...shipped, [name]: '1' }).success).toBe(false)
    expect(outputLimits.safeParse({ ...shipped, other: 1 }).success).toBe(false)
  })

  it.each(Object.keys(shipped))(
    'of an old job may be without those that were added later, and no others: %s',
    (name) => {
      expect(storedOutputLimits.safeParse(without(name)).success).toBe(addedLater.some((later) => later === name))
      expect(storedOutputLimits.safeParse({ ...shipped, [name]: '1' }).success).toBe(false)
      expect(storedOutputLimits.safeParse({ ...shipped, other: 1 }).success).toBe(false)
    }
  )
})
