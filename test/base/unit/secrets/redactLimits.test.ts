import { describe, expect, it } from 'vitest'
import { createRedactor, hidden } from '../../../../main/base/secrets/redact.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const json = (value: unknown): unknown => createRedactor().json(value)
const text = (given: string): string => createRedactor().text(given)

describe('A name tells a secret', () => {
  it.each([
    'token',
    'api_token',
    'X-Token',
    'apiToken',
    'wifiPsk',
    'set-cookie',
    'apnUser',
    'apn_user',
    'APN-username',
    'apnusername'
  ])('%s does', (name) => {
    expect(json({ [name]: 'word' })).toEqual({ [name]: hidden })
  })

  it.each([
    'tokenCount',
    'apiTokenCount',
    'apnUserId',
    'myapnuser',
    'apn_usernames',
    'apn.user',
    'compass',
    'monkeypin',
    'Token2',
    'user'
  ])('%s does not', (name) => {
    expect(json({ [name]: 'word' })).toEqual({ [name]: 'word' })
  })

  it('and the user beside an APN is one, in any letters', () => {
    expect(json({ APN: 'fleet', User: 'word' })).toEqual({ APN: 'fleet', User: hidden })
    expect(json({ apnName: 'fleet', user: 'word' })).toEqual({ apnName: 'fleet', user: 'word' })
  })
})

describe('What stands under such a name', () => {
  it.each<[string, unknown]>([
    ['pin', 4711],
    ['sim_puk', 4711],
    ['password', 4711],
    ['token', ['word', 1]],
    ['cookie', [1, 'word']],
    ['token', 'None']
  ])('%s: %j is hidden', (name, value) => {
    expect(json({ [name]: value })).toEqual({ [name]: hidden })
  })

  it.each<[string, unknown]>([
    ['token', 4711],
    ['pin_token', 4711],
    ['token', [1, 2]],
    ['token', []],
    ['token', true],
    ['token', null],
    ['token', ''],
    ['token', { limit: 5 }],
    ['auth', 'WPA2-PSK'],
    ['AUTH', 'None']
  ])('%s: %j is none', (name, value) => {
    expect(json({ [name]: value })).toEqual({ [name]: value })
  })
})

describe('A value of JSON', () => {
  it('may be a number beyond all others, and an error without a cause has none', () => {
    expect(json(2n ** 70n)).toBe('1180591620717411303424')
    expect(Object.keys(json(new Error('failed')) as object)).not.toContain('cause')
  })

  it('that stands in two places is no circle', () => {
    const shared = { n: 1 }
    expect(json([shared, { shared }])).toEqual([shared, { shared }])
  })
})

describe('In a text', () => {
  it.each([
    ['Authorization : abc def', `Authorization : ${hidden}`],
    ['Cookie:sid=1', `Cookie:${hidden}`],
    ['used Bearer   abcdef then', `used Bearer   ${hidden} then`],
    ['used Bearer abcde then', 'used Bearer abcde then'],
    [`Basic   ${base64('user:word')}`, `Basic   ${hidden}`],
    [`Basic ${base64('user word')}`, `Basic ${base64('user word')}`],
    ['https://g.example/?token=ab,cd;ef}g&x=1', `https://g.example/?token=${hidden}&x=1`],
    ['/a?x=1;api_auth=ab,cd#end', `/a?x=1;api_auth=${hidden}#end`],
    ['{"sim_card_pin" : 12,"PUK":34}', `{"sim_card_pin" : "${hidden}","PUK":"${hidden}"}`],
    ['{"spin":12}', '{"spin":12}'],
    ['login pass=word, then', `login pass=${hidden}, then`],
    ['wifi_pass=word', `wifi_pass=${hidden}`],
    ['auth=abcdef}', `auth=${hidden}}`],
    ['compass=north', 'compass=north'],
    [`pass=${hidden}`, `pass=${hidden}`],
    ['psk = word', `psk = ${hidden}`]
  ])('%s becomes %s', (given, wanted) => {
    expect(text(given)).toBe(wanted)
  })
})

describe('A known secret', () => {
  function without(secret: string, given: string): string {
    const redactor = createRedactor()
    redactor.add(secret)
    return redactor.text(given)
  }

  it('has three characters at least', () => {
    expect(without('abc', 'x abc y')).toBe(`x ${hidden} y`)
    expect(without('ab', 'x ab y')).toBe('x ab y')
  })

  it('is found in the middle of JSON and of JSON in JSON', () => {
    const secret = 'a"b\\c'
    const inside = JSON.stringify(`before ${secret} after`)
    expect(without(secret, inside)).toBe(`"before ${hidden} after"`)
    expect(without(secret, JSON.stringify(inside))).toBe(`"\\"before ${hidden} after\\""`)
  })

  it.each(['', 'u', 'us', 'use'])(
    'is found in the base64 of a longer text that begins with %j and goes on behind it',
    (before) => {
      const secret = 'marker 4711'
      for (const after of ['', ':', ':m', ':mo']) {
        const result = without(secret, base64(`${before}${secret}${after}`))
        expect(result).toContain(hidden)
        // What is left of it are neighbours and halves of single characters.
        expect(result.replace(hidden, '').length).toBeLessThanOrEqual(10)
      }
    }
  )

  it('is not looked for in base64 where that is too short to tell anything', () => {
    expect(without('abc', `x ${base64('abc')} y`)).toBe('x YWJj y')
    expect(without('abcde', base64('abcdefgh'))).toBe(`${hidden}VmZ2g=`)
    expect(without('abcd', base64('abcdefgh'))).toBe(base64('abcdefgh'))
  })
})
