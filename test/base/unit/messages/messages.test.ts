import { expect, test } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import { messageSchema } from '../../../../preload/contract/base/messageSchema.ts'
import { putTextsBeside } from '../../../../main/base/messages/json.ts'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { createFormatter } from '../../../../preload/base/messages/formatter.ts'
import type { ReaderSettings } from '../../../../preload/base/messages/settings.ts'

const texts: Record<string, string> = {
  'a.wait': 'It was silent for {forS}, {distanceM} away, at {speedKmh}.',
  'a.keys': '{n, plural, one {# key} other {# keys}} of {all, number}',
  'a.kind':
    '{kind, select, relay {The relay} other {The output}} has {levelMv} since {seenAt} ({dayOn}, {seenTwiceAt, time, medium}).',
  'a.outer': '{why} Lines: {lines}. Port {port}.',
  'a.inner': "It doesn't answer <b>."
}
function reader(change: Partial<ReaderSettings> = {}) {
  return createFormatter({ language: 'en', units: 'metric', timeZone: 'UTC', ...change }, (id) => texts[id])
}
const kind: Message = {
  id: 'a.kind',
  values: {
    kind: 'relay',
    levelMv: 4100,
    seenAt: '2026-11-19T23:12:04.000Z',
    dayOn: '2026-04-12',
    seenTwiceAt: '2026-11-19T23:12:04.000Z'
  }
}

test('a value is printed with the unit that its name says, in the units of the reader', () => {
  const silent: Message = { id: 'a.wait', values: { forS: 30, distanceM: 120, speedKmh: 12.5 } }
  expect(reader()(silent)).toBe('It was silent for 30 s, 120 m away, at 12.5 km/h.')
  expect(reader({ language: 'es', units: 'imperial' })(silent)).toBe('It was silent for 30 s, 394 ft away, at 7,8 mph.')
})

test('times are told in the time zone of the reader, days in none', () => {
  expect(reader()(kind)).toBe('The relay has 4.10 V since 19 Nov 2026, 23:12 (12 Apr 2026, 23:12:04).')
  expect(reader({ language: 'es', timeZone: 'Europe/Madrid' })(kind)).toBe(
    'The relay has 4,10 V since 20 nov 2026, 00:12 (12 abr 2026, 00:12:04).'
  )
})

test('counts choose their words and are grouped as the language groups', () => {
  expect(reader()({ id: 'a.keys', values: { n: 1, all: 12345 } })).toBe('1 key of 12,345')
  expect(reader({ language: 'es' })({ id: 'a.keys', values: { n: 2, all: 12345 } })).toBe('2 keys of 12.345')
})

test('a message may say another one, and a list is joined as the language joins it', () => {
  const outer: Message = {
    id: 'a.outer',
    values: { why: { id: 'a.inner', values: {} }, lines: ['IN1', 'IN2', 'IN3'], port: 8080 }
  }
  expect(reader()(outer)).toBe("It doesn't answer <b>. Lines: IN1, IN2 and IN3. Port 8080.")
  expect(reader({ language: 'es' })(outer)).toContain('IN1, IN2 e IN3')
})

test('what another version said is shown as far as it is known, and never ends anything', () => {
  expect(reader()({ id: 'b.new', values: { forS: 30 } })).toBe('b.new (forS: 30 s)')
  expect(reader()({ id: 'b.new', values: {} })).toBe('b.new')
  expect(reader()({ id: 'a.wait', values: { forS: 30 } })).toBe('a.wait (forS: 30 s)')
  expect(reader()({ id: 'a.keys', values: { n: 'many', all: 1 } })).toBe('a.keys (n: many, all: 1)')
  expect(reader()({ ...kind, values: { ...kind.values, seenTwiceAt: 'yesterday' } })).toContain(
    'seenTwiceAt: yesterday'
  )
})

test('a reader whose system speaks neither language reads English', () => {
  const { settings, say } = createTexts({ timeZone: 'UTC' })
  expect(['en', 'es']).toContain(settings.language)
  expect(createTexts({ language: 'es' }).say(message('app.fault'))).toContain('Fitter')
  expect(say({ id: '../../package.name', values: {} })).toBe('../../package.name')
})

test('a failure carries its sentence as data, and words that are not ours as they are', () => {
  const failure = new AppError('NOT_FOUND', message('app.noSuchCall', { name: 'x' }), { retryable: true })
  expect(failure.toData()).toEqual({
    code: 'NOT_FOUND',
    message: { id: 'app.noSuchCall', values: { name: 'x' } },
    retryable: true
  })
  expect(failure.message).toBe('app.noSuchCall {"name":"x"}')
  expect(new AppError('REFUSED', plainMessage('Busy.')).sentence).toEqual(plainMessage('Busy.'))
})

test('the form of a message holds for messages inside of messages', () => {
  const outer = message('app.badInput', { call: 'a', field: ['b', plainMessage('c')], problem: plainMessage('d') })
  expect(messageSchema.parse(outer)).toEqual(outer)
  expect(messageSchema.safeParse({ id: 'a.b', values: { x: null } }).success).toBe(false)
})

test('in JSON each text stands with its data beside it', () => {
  const say = ({ id }: Message) => `text of ${id}`
  const one = plainMessage('1')
  const two = message('app.fault')
  expect(putTextsBeside({ state: 'x', reason: one, raw: { id: 7, values: {} } }, say)).toEqual({
    state: 'x',
    reason: 'text of plain.text',
    message: one,
    raw: { id: 7, values: {} }
  })
  expect(putTextsBeside([{ title: one, remedy: two }, { problems: [one, two] }], say)).toEqual([
    { title: 'text of plain.text', titleMessage: one, remedy: 'text of app.fault', remedyMessage: two },
    { problems: ['text of plain.text', 'text of app.fault'], problemsMessages: [one, two] }
  ])
})
