import { describe, expect, test } from 'vitest'
import { isValidImei } from '../../../../preload/contract/base/imei.ts'
import { makeCredentials, makeIdentity } from '../../../../simulator/identity.ts'

describe('simulated identities', () => {
  test('have valid check digits and differ from each other', () => {
    const identities = Array.from({ length: 300 }, (_, index) => makeIdentity(4, index))
    expect(identities.every(({ imei }) => isValidImei(imei))).toBe(true)
    expect(identities.every(({ iccid }) => /^\d{20}$/.test(iccid))).toBe(true)
    for (const field of ['imei', 'iccid', 'imsi', 'mac'] as const) {
      expect(new Set(identities.map((identity) => identity[field])).size).toBe(300)
    }
  })

  test('are the same for the same seed and others for another', () => {
    expect(makeIdentity(4, 2)).toEqual(makeIdentity(4, 2))
    expect(makeIdentity(4, 2)).not.toEqual(makeIdentity(5, 2))
    expect(makeCredentials(4)).toEqual(makeCredentials(4))
  })
})
