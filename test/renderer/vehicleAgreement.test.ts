import { expect, test } from 'vitest'
import type { Message } from '../../preload/contract/messages.ts'
import { agreementOf } from '../../renderer/features/vehicles/agreement.ts'
import { counterName, counterOrder } from '../../renderer/features/vehicles/counterNames.ts'
import { formatCounter } from '../../renderer/features/vehicles/counterText.ts'
import { loadLanguage, say, showLanguage } from '../../renderer/say.ts'

const nowMs = Date.UTC(2026, 10, 21)
const imei = '867698040023056'
const place = { latitude: 4.711, longitude: -74.0721 }
const lines = { ignition: true, power: true, inputs: [false, true, null], at: new Date(nowMs - 5_000).toISOString() }
const io = { IGN: true, PWR: true, IN1: false, IN2: false, IN3: true, AN1: 12_610 }
const said = (all: { relation: string; text: Message }[]) => all.map(({ relation, text }) => `${relation}: ${say(text)}`)

test('the device beside and the gateway are held against each other line by line', async () => {
  await showLanguage('en')
  expect(said(agreementOf({ imei, place, lines: io }, { imei, place: { ...place, latitude: 4.7111, atMs: nowMs }, lines }, nowMs))).toEqual([
    'agree: Same IMEI here and at the gateway',
    'agree: Same place, 11 m apart',
    'agree: Same ignition, power and input 1',
    'differ: Different: input 2'
  ])
})

test('an old word of the gateway is no contradiction, and what only one can say is left out', () => {
  const old = { ...lines, at: new Date(nowMs - 600_000).toISOString() }
  expect(said(agreementOf({ imei, place, lines: io }, { imei, place: { ...place, latitude: 4.8, atMs: nowMs - 600_000 }, lines: old }, nowMs)).slice(1)).toEqual([
    'old: The gateway’s place is old, 9.9 km away',
    'agree: Same ignition, power and input 1',
    'old: The gateway’s word on input 2 is old'
  ])
  expect(said(agreementOf({ imei, place: null, lines: null }, { imei, place: null, lines }, nowMs))).toEqual(['agree: Same IMEI here and at the gateway'])
  expect(agreementOf({ imei, place, lines: io }, { imei: '356938035643809', place: null, lines: null }, nowMs).map(({ relation }) => relation)).toEqual(['differ'])
})

test('every counter that the gateway documents has a name in both languages; another keeps its code', async () => {
  const documented = [
    ...['dev_dist', 'ecu_dist', 'dev_ign', 'dev_idle', 'dev_ospeed', 'dev_orpm', 'ecu_eusage', 'ecu_eidle', 'ecu_tfuel', 'ecu_ifuel', 'counter_tamper'],
    ...['in1', 'in2', 'in3', 'out1', 'out2', 'exp_in1', 'exp_in4', 'exp_out1', 'exp_out4', 'exp_out1_short', 'exp_out4_short'].map((line) => `counter_io_${line}`)
  ]
  await loadLanguage('es')
  for (const language of ['es', 'en'] as const) {
    await showLanguage(language)
    const names = documented.map(counterName)
    expect(names.filter((name) => /_|window/.test(name))).toEqual([])
    expect(new Set(names).size).toBe(documented.length)
  }
  expect(counterName('counter_io_exp_out3_short')).toBe('Expander output 3 shorted')
  expect(counterName('counter_new')).toBe('counter_new')
  expect(['counter_new', 'counter_io_in1', 'dev_ign', 'dev_dist'].sort(counterOrder)).toEqual(['dev_dist', 'dev_ign', 'counter_io_in1', 'counter_new'])
})

test('a counter is written in the unit that people read, in both unit systems', () => {
  expect(formatCounter(84_120_000, 'm', 'metric', 'en')).toBe('84,120 km')
  expect(formatCounter(84_120_000, 'm', 'imperial', 'en')).toBe('52,269.7 mi')
  expect(formatCounter(16_290_000, 's', 'metric', 'en')).toBe('4,525 h')
  expect(formatCounter(12_480, 'L', 'metric', 'en')).toBe('12,480 L')
  expect(formatCounter(12_480, 'L', 'imperial', 'en')).toBe('3,296.9 gal')
})
