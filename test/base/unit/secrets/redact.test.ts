import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor, hidden } from '../../../../main/base/secrets/redact.ts'

describe('A known secret', () => {
  const secret = 'p/ä "s" w\\d?&='

  it.each([
    ['as it is', (text: string) => text],
    ['URL-encoded', encodeURIComponent],
    [
      'URL-encoded in small letters',
      (text: string) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase())
    ],
    ['as a form field', (text: string) => new URLSearchParams({ q: text }).toString().slice(2)],
    ['inside JSON', (text: string) => JSON.stringify(text)],
    ['inside JSON inside JSON', (text: string) => JSON.stringify(JSON.stringify(text))],
    ['inside CSV', (text: string) => `"${text.replaceAll('"', '""')}"`],
    ['in base64', (text: string) => Buffer.from(text).toString('base64')],
    ['in base64 for URLs', (text: string) => Buffer.from(text).toString('base64url')]
  ])('is taken out %s', (_, form) => {
    const redactor = createRedactor()
    redactor.add(secret)
    const result = redactor.text(`before ${form(secret)} after`)
    expect(result).toContain(hidden)
    expect(result).toMatch(/^before .* after$/)
    expect(result.replace(hidden, '').length).toBeLessThan(20)
  })

  it.each(['u', 'us', 'use', 'user', 'someone@example.org'])(
    'is taken out of the Basic credentials of %s, with and without its word',
    (user) => {
      const redactor = createRedactor()
      redactor.add('a long marker 4711')
      const code = Buffer.from(`${user}:a long marker 4711`).toString('base64')
      expect(redactor.text(`code ${code}`)).not.toContain(code)
      expect(createRedactor().text(`sent Basic ${code}, then`)).toBe(`sent Basic ${hidden}, then`)
    }
  )

  it('is taken out for any text that holds any secret', () => {
    const known = fc.stringMatching(/^[A-Z0-9%+/\\"$^(.*]{4,20}$/)
    const other = fc.stringMatching(/^[a-z :{}]{0,20}$/)
    fc.assert(
      fc.property(known, other, other, (secretText, before, after) => {
        const redactor = createRedactor()
        redactor.add(secretText)
        expect(redactor.text(before + secretText + after)).not.toContain(secretText)
        expect(JSON.stringify(redactor.json({ [before]: [secretText] }))).not.toContain(
          JSON.stringify(secretText).slice(1, -1)
        )
      })
    )
  })

  it('may be undefined or so short that it stands everywhere: then nothing is replaced', () => {
    const redactor = createRedactor()
    for (const short of [undefined, '', 'a', 'ab']) redactor.add(short)
    expect(redactor.text('a table')).toBe('a table')
  })

  it('is taken out whole where another secret is a part of it', () => {
    const redactor = createRedactor()
    redactor.add('yard')
    redactor.add('yard-2024')
    expect(redactor.text('key yard-2024.')).toBe(`key ${hidden}.`)
  })
})

describe('The shape of a secret', () => {
  const { text } = createRedactor()

  it.each([
    ['Authorization: Basic dXNlcjpwYXNz', `Authorization: ${hidden}`],
    ['authenticate: 0123456789abcdef\nNext: line', `authenticate: ${hidden}\nNext: line`],
    [`{ Authenticate: 'abc def', host: 'x' }`, `{ Authenticate: ${hidden}, host: 'x' }`],
    ['{"authorization":"Bearer abc.def","host":"x"}', `{"authorization":${hidden},"host":"x"}`],
    ['Cookie: sid=1; other=2', `Cookie: ${hidden}`],
    ['used Bearer abcdef.ghi-jk then', `used Bearer ${hidden} then`],
    ['GET /wifi/add/Yard%205/secret%2Fword HTTP', `GET /wifi/add/Yard%205/${hidden} HTTP`],
    ['http://10.0.0.1:8080/hotspot/edit/Unit/word?x', `http://10.0.0.1:8080/hotspot/edit/Unit/${hidden}?x`],
    ['/wifi/add/Open', '/wifi/add/Open'],
    ['https://g.example/api/logout?auth=abc123&x=1', `https://g.example/api/logout?auth=${hidden}&x=1`],
    ['DELETE /tokens/abc123/stream', `DELETE /tokens/${hidden}/stream`],
    ['https://user:word@g.example/api', `https://${hidden}@g.example/api`],
    ['{"apn":"x","pass":"word","pin":1234}', `{"apn":"x","pass":"${hidden}","pin":"${hidden}"}`],
    ['{"pass":"wo\\"rd","n":1}', `{"pass":"${hidden}","n":1}`],
    ['"{\\"password\\":\\"word\\",\\"n\\":1}"', `"{\\"password\\":"${hidden}",\\"n\\":1}"`],
    ['login with password=word, then', `login with password=${hidden}, then`],
    ['APN_PASSWORD: word', `APN_PASSWORD: ${hidden}`]
  ])('is recognised in %s', (given, wanted) => {
    expect(text(given)).toBe(wanted)
  })

  it.each([
    'Wrong user name or password (10.0.0.1:8080). Sign in to this device again.',
    'Requests carry the Basic authorization header.',
    'Checks: pass: 12, warn: 1, fail: 0',
    'Passed the spin test on OUT1',
    '{"steps":{"pass":12}}',
    'GET /gps/position 200 in 12 ms'
  ])('is not seen in: %s', (given) => {
    expect(text(given)).toBe(given)
  })
})

describe('A JSON value', () => {
  const redactor = createRedactor()
  redactor.add('marker-1')

  it('loses what stands under the name of a secret and every known secret, at any depth, and keeps the rest', () => {
    const value = {
      headers: { Authorization: 'Basic x', 'Set-Cookie': ['a=1'], accept: 'json' },
      body: { apn: 'fleet', user: 'apnuser', pass: 'x', pin: 4815 },
      list: [{ token: 'abc', ok: true }, 'has marker-1 inside', 7, null],
      results: { pass: 12, fail: 0 },
      apiToken: 'abc',
      'marker-1': 1
    }
    expect(redactor.json(value)).toEqual({
      headers: { Authorization: hidden, 'Set-Cookie': hidden, accept: 'json' },
      body: { apn: 'fleet', user: hidden, pass: hidden, pin: hidden },
      list: [{ token: hidden, ok: true }, `has ${hidden} inside`, 7, null],
      results: { pass: 12, fail: 0 },
      apiToken: hidden,
      [hidden]: 1
    })
  })

  it('may be an error with a cause, or hold itself', () => {
    const error: Error & { self?: unknown } = new Error('failed for marker-1', { cause: { password: 'x' } })
    error.self = error
    const result = redactor.json(error) as Record<string, unknown>
    expect(result).toMatchObject({
      name: 'Error',
      message: `failed for ${hidden}`,
      cause: { password: hidden },
      self: '[circular]'
    })
    expect(JSON.stringify(result)).not.toContain('marker-1')
  })

  it('is not changed in place', () => {
    const value = { pass: 'x' }
    redactor.json(value)
    expect(value.pass).toBe('x')
  })
})

describe('The kind of key of a Wi-Fi network', () => {
  it.each(['WPA2-PSK', 'WPA-PSK', 'WPA/WPA2 PSK', '802.1x EAP', 'None', 'WPA3-SAE', '[WPA2-PSK-CCMP][ESS]'])(
    'stays readable under the name that a token has too: %s',
    (auth) => {
      const scan = { nets: [{ ssid: 'Yard', signal: -58, auth }] }
      const redactor = createRedactor()
      expect(redactor.json(scan)).toEqual(scan)
      expect(redactor.text(JSON.stringify(scan))).toBe(JSON.stringify(scan))
      expect(redactor.text(JSON.stringify(scan, null, 2))).toBe(JSON.stringify(scan, null, 2))
    }
  )

  it.each(['A1B2C3D4E5F6', 'WPA2-PSK4711', 'Nonesuch'])('does not let a token through: %s', (auth) => {
    expect(createRedactor().json({ auth })).toEqual({ auth: hidden })
    expect(createRedactor().text(JSON.stringify({ auth }))).toBe(JSON.stringify({ auth: hidden }))
    expect(createRedactor().text(JSON.stringify({ token: 'None' }))).toBe(JSON.stringify({ token: hidden }))
  })
})
