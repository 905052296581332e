import { expect, test } from 'vitest'
import { hideSecrets, hideSecretsInJson, quoteServer } from '../../../../main/gateway/client/transport/redact.ts'
import { createServerTime } from '../../../../main/gateway/client/transport/serverTime.ts'

test('secrets are hidden in plain, encoded and escaped form', () => {
  const secret = 'p&ss "w/rd'
  const text = `a ${secret} b ${encodeURIComponent(secret)} c ${JSON.stringify(secret)}`
  expect(hideSecrets(text, [secret])).toBe('a [hidden] b [hidden] c "[hidden]"')
  expect(hideSecretsInJson({ a: [secret], b: { c: 1, d: null } }, [secret])).toEqual({
    a: ['[hidden]'],
    b: { c: 1, d: null }
  })
})

test('the words of the server are one bounded line', () => {
  expect(quoteServer('a\r\nb\u0007c\u2028d', [])).toBe('a b c d')
  expect(quoteServer('x'.repeat(500), [])).toHaveLength(300)
})

const at = Date.parse('2026-11-20T10:00:00Z')

test('equal clocks have no difference, although the date has whole seconds', () => {
  const time = createServerTime()
  time.learnDate(new Date(at).toUTCString(), at + 700, at + 720)
  expect(time.clockDifferenceS()).toBe(0)
})

test('each answer narrows the difference down', () => {
  const time = createServerTime()
  for (const offset of [100, 450, 900])
    time.learnDate(
      new Date(Math.floor((at + offset + 30_300) / 1000) * 1000).toUTCString(),
      at + offset - 10,
      at + offset + 10
    )
  expect(time.clockDifferenceS()).toBeCloseTo(30.3, 0)
  time.learnEpoch((at + 30_300) / 1000, at - 5, at + 5)
  expect(time.clockDifferenceS()).toBeCloseTo(30.3, 1)
})

test('a clock that was set is learned anew', () => {
  const time = createServerTime()
  time.learnEpoch(at / 1000 + 0.5, at + 500, at + 500)
  time.learnEpoch(at / 1000 + 100.5, at + 500, at + 500)
  expect(time.clockDifferenceS()).toBeCloseTo(100, 1)
})

test.each([undefined, '', 'yesterday', 'NaN'])('%j is no date', (header) => {
  const time = createServerTime()
  time.learnDate(header, at, at)
  time.learnEpoch(Number.NaN, at, at)
  time.learnEpoch(1e15, at, at)
  expect(time.clockDifferenceS()).toBeNull()
})
