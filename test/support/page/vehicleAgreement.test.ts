import { expect, test } from 'vitest'
import type { Fact, FactName } from '../../../preload/contract/support/facts.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { agreementOf, sameOf } from '../../../renderer/support/vehicle/agreement.ts'
import { counterName, counterOrder } from '../../../renderer/support/vehicle/counterNames.ts'
import { formatCounter } from '../../../renderer/support/vehicle/counterText.ts'
import { loadLanguage, say, showLanguage } from '../../../renderer/base/say.ts'

const fact = (name: FactName, verdict: Fact['verdict'], apartM?: number): Fact => {
  const side = { value: true, unit: null, ageS: 3, readAt: null, message: plainMessage('x') }
  return {
    fact: name,
    device: verdict === 'onlyGateway' ? null : side,
    gateway: verdict === 'onlyDevice' || verdict === 'notExposed' ? null : side,
    verdict,
    tolerance: null,
    apart: apartM === undefined ? null : { value: apartM, unit: 'm' },
    why: { device: null, gateway: null },
    message: plainMessage('x')
  }
}
const said = (facts: Fact[]) => agreementOf(facts).map(({ relation, text }) => `${relation}: ${say(text)}`)

test('the device beside and the gateway are held against each other by the facts of the diagnosis', async () => {
  await showLanguage('en')
  expect(
    said([
      fact('position', 'agree', 11),
      fact('ignition', 'agree'),
      fact('power', 'agree'),
      fact('in1', 'agree'),
      fact('in2', 'differ'),
      fact('in3', 'onlyDevice'),
      fact('in4', 'notExposed'),
      fact('sim', 'agree'),
      fact('vehicleDevice', 'agree')
    ])
  ).toEqual([
    'agree: Same IMEI on device and gateway',
    'agree: Same SIM',
    'agree: Same position, 11 m apart',
    'agree: Same ignition, power and input 1',
    'differ: Different: input 2'
  ])
})

test('an old word of the gateway is no contradiction, and what only one can say is left out', () => {
  expect(
    said([
      fact('position', 'stale', 9_900),
      fact('in1', 'stale'),
      fact('in2', 'stale'),
      fact('in3', 'stale'),
      fact('vehicleDevice', 'differ'),
      fact('ignition', 'onlyGateway')
    ])
  ).toEqual([
    'differ: Different IMEI at the gateway',
    'old: The gateway’s position is old, 9.9 km away',
    'old: The gateway’s data on inputs 1 to 3 is old'
  ])
})

test('what agrees is one sentence, also beside what does not', () => {
  const agreed = [fact('vehicleDevice', 'agree'), fact('sim', 'agree'), fact('power', 'agree')]
  expect(say(sameOf(agreed))).toBe('Same IMEI, SIM and power')
  expect(say(sameOf([...agreed, fact('ignition', 'stale')]))).toBe('Same IMEI, SIM and power')
  expect(sameOf([fact('power', 'agree'), fact('ignition', 'differ')])).toBeNull()
})

test('every counter that the gateway documents has a name in both languages; another keeps its code', async () => {
  const documented = [
    ...[
      'dev_dist',
      'ecu_dist',
      'dev_ign',
      'dev_idle',
      'dev_ospeed',
      'dev_orpm',
      'ecu_eusage',
      'ecu_eidle',
      'ecu_tfuel',
      'ecu_ifuel',
      'counter_tamper'
    ],
    ...[
      'in1',
      'in2',
      'in3',
      'out1',
      'out2',
      'exp_in1',
      'exp_in4',
      'exp_out1',
      'exp_out4',
      'exp_out1_short',
      'exp_out4_short'
    ].map((line) => `counter_io_${line}`)
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
  expect(['counter_new', 'counter_io_in1', 'dev_ign', 'dev_dist'].sort(counterOrder)).toEqual([
    'dev_dist',
    'dev_ign',
    'counter_io_in1',
    'counter_new'
  ])
})

test('a counter is written in the unit that people read, in both unit systems', () => {
  expect(formatCounter(84_120_000, 'm', 'metric', 'en')).toBe('84,120 km')
  expect(formatCounter(84_120_000, 'm', 'imperial', 'en')).toBe('52,269.7 mi')
  expect(formatCounter(16_290_000, 's', 'metric', 'en')).toBe('4,525 h')
  expect(formatCounter(12_480, 'L', 'metric', 'en')).toBe('12,480 L')
  expect(formatCounter(12_480, 'L', 'imperial', 'en')).toBe('3,296.9 gal')
})
