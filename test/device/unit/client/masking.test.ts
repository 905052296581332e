import { describe, expect, it } from 'vitest'
import { isSecretName, secretMask, maskSecrets, secretsIn } from '../../../../main/device/client/masking.ts'

describe('Masking an answer', () => {
  it.each([
    'pass',
    'PASS',
    'password',
    'APN_PASSWORD',
    'apnPass',
    'APN_PASS',
    'APN_USER',
    'apnUsername',
    'pin',
    'SIM_PIN',
    'PUK',
    'psk',
    'wifi_psk',
    'secret',
    'token'
  ])('%s names a secret', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each([
    'APN',
    'key_mgmt',
    'ssid',
    'PGN',
    'user',
    'name',
    'SIM_ID',
    'MOTION_THRESHOLD',
    'SPINDLE',
    'state',
    'PASSENGERS'
  ])('%s does not', (name) => {
    expect(isSecretName(name)).toBe(false)
  })

  it('replaces texts and numbers under such names at any depth, and sent secrets anywhere', () => {
    const answer = { list: [{ PIN: 1234, ok: true, apn_pass: '' }], out: 'set hunter2 done', pass: null }
    expect(maskSecrets(answer, ['hunter2'])).toEqual({
      list: [{ PIN: secretMask, ok: true, apn_pass: '' }],
      out: `set ${secretMask} done`,
      pass: null
    })
  })

  it('takes a secret out of every text of the answer that repeats it', () => {
    const answer = {
      apn: { pass: 'or@nge-9/x', PIN: 4417 },
      log: 'CGAUTH=1,1,"or@nge-9/x"',
      url: 'http://x.invalid/?p=or%40nge-9%2Fx',
      said: ['pin 4417 accepted', '990044170011'],
      imei: '356938035644170'
    }
    expect(maskSecrets(answer)).toEqual({
      apn: { pass: secretMask, PIN: secretMask },
      log: `CGAUTH=1,1,"${secretMask}"`,
      url: `http://x.invalid/?p=${secretMask}`,
      said: [`pin ${secretMask} accepted`, '990044170011'],
      imei: '356938035644170'
    })
    expect(maskSecrets('refused or@nge-9/x', [], secretsIn(answer))).toBe(`refused ${secretMask}`)
  })

  it('leaves words alone that stand for no secret, and bounds its work on an answer of nothing but secrets', () => {
    expect(maskSecrets({ password: 'none', pin: 0, auth: 'none', state: '0 of 3' })).toEqual({
      password: secretMask,
      pin: secretMask,
      auth: 'none',
      state: '0 of 3'
    })
    const hostile = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, n) => [`${n}_password`, `secret-number-${n}`])
    )
    expect(secretsIn(hostile)).toHaveLength(200)
    expect(secretsIn({ password: 'x'.repeat(300) })).toEqual([])
    expect(maskSecrets({ ...hostile, text: 'has secret-number-7 in it' })).toMatchObject({
      text: `has ${secretMask} in it`,
      '49999_password': secretMask
    })
  })
})
