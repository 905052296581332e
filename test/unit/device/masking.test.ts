import { describe, expect, it } from 'vitest'
import { isSecretName, mask, maskSecrets } from '../../../main/device/masking.ts'

describe('Masking an answer', () => {
  it.each(['pass', 'PASS', 'password', 'APN_PASSWORD', 'apnPass', 'APN_PASS', 'APN_USER', 'apnUsername', 'pin', 'SIM_PIN', 'PUK', 'psk', 'wifi_psk', 'secret', 'token'])('%s names a secret', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each(['APN', 'key_mgmt', 'ssid', 'PGN', 'user', 'name', 'SIM_ID', 'MOTION_THRESHOLD', 'SPINDLE', 'state', 'PASSENGERS'])('%s does not', (name) => {
    expect(isSecretName(name)).toBe(false)
  })

  it('replaces texts and numbers under such names at any depth, and sent secrets anywhere', () => {
    const answer = { list: [{ PIN: 1234, ok: true, apn_pass: '' }], out: 'set hunter2 done', pass: null }
    expect(maskSecrets(answer, ['hunter2'])).toEqual({ list: [{ PIN: mask, ok: true, apn_pass: '' }], out: `set ${mask} done`, pass: null })
  })
})
