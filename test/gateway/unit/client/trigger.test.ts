import { describe, expect, test } from 'vitest'
import {
  checkTrigger,
  evaluateTrigger,
  type TriggerConditions
} from '../../../../main/gateway/client/decoders/trigger.ts'
import { describeTrigger } from '../../../../main/gateway/client/decoders/triggerText.ts'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { english } from '../../../world/window/english.ts'

const moving = { id: 'moving', key: 'speed', operator: '>', value: 0 }
const pressed = { id: 'input1_press', key: 'label', operator: 'within', value: ['in1on', 'in1off'] }
const both = { rules: [moving, pressed], postfix: ['moving', 'input1_press', 'and'] }
const one = (operator: string, value: unknown, key = 'dev_dist') => ({
  rules: [{ id: 'r', key, operator, value }],
  postfix: ['r']
})
const idsOf = (conditions: TriggerConditions) =>
  checkTrigger(conditions).map(({ id, values: { problem } }) =>
    typeof problem === 'object' && 'id' in problem ? problem.id : id
  )
const circle = { id: 4, types: [9], shape: { type: 'Circle' as const, center: [-3.7, 40.4] as const, radiusM: 100 } }
const inside = { lat: 40.4, lon: -3.7 }
const outside = { lat: 40.5, lon: -3.7 }

describe('the postfix', () => {
  test('joins rules as the document shows it: moving, input1_press, and', () => {
    expect(evaluateTrigger(both, { speed: 3, label: 'in1on' }, null)).toBe(true)
    expect(evaluateTrigger(both, { speed: 0, label: 'in1on' }, null)).toBe(false)
    expect(
      evaluateTrigger({ ...both, postfix: ['moving', 'input1_press', 'or', 'not'] }, { speed: 0, label: 'x' }, null)
    ).toBe(true)
  })
  test('is not known where the deciding field is missing, and is where the other side decides', () => {
    expect(evaluateTrigger(both, { label: 'in1on' }, null)).toBeNull()
    expect(evaluateTrigger(both, { label: 'ignon' }, null)).toBe(false)
  })
  test('a field that the event does not have is unknown, also when every object has something of its name', () => {
    for (const key of ['constructor', 'toString', '__proto__'])
      expect(evaluateTrigger(one('!=', 1, key), {}, null)).toBeNull()
  })
  test.each([
    [['moving', 'and'], { id: 'triggers.tooFewBefore', values: { join: 'and' } }],
    [['moving', 'input1_press'], { id: 'triggers.sideBySide', values: { n: 2 } }],
    [['moving', 'engine', 'and'], { id: 'triggers.noSuchRule', values: { name: 'engine' } }],
    [['not', 'moving'], { id: 'triggers.notBeforeAny', values: {} }],
    [[], { id: 'triggers.postfixEmpty', values: {} }],
    [['moving'], { id: 'triggers.ruleUnused', values: { rule: 'input1_press' } }]
  ])('%j is refused', (postfix, problem) => {
    expect(checkTrigger({ ...both, postfix })).toContainEqual(problem)
  })
  test('rules of one name, or of the name of an operator, are refused', () => {
    expect(idsOf({ rules: [moving, moving], postfix: ['moving'] })).toContain('triggers.sameName')
    expect(idsOf({ rules: [{ ...moving, id: 'and' }], postfix: ['and'] })).toContain('triggers.nameOfJoin')
  })
  test('a problem of a rule names the rule, in the language of the reader', () => {
    const [problem] = checkTrigger(one('>', 'fast', 'speed'))
    expect(problem && english(problem)).toBe('Rule “r”: > compares numbers.')
    expect(problem && createTexts({ language: 'es' }).say(problem)).toBe('Regla «r»: > compara números.')
  })
})

describe('geofence rules', () => {
  test('inside, outside, entered and exited go by this event and the one before', () => {
    const fence = (operator: string) => one(operator, { fences: [4], types: [] }, 'lat')
    expect(evaluateTrigger(fence('inside_fence'), inside, null, [circle])).toBe(true)
    expect(evaluateTrigger(fence('outside_fence'), inside, null, [circle])).toBe(false)
    expect(evaluateTrigger(fence('entered_fence'), inside, outside, [circle])).toBe(true)
    expect(evaluateTrigger(fence('entered_fence'), inside, inside, [circle])).toBe(false)
    expect(evaluateTrigger(fence('entered_fence'), inside, null, [circle])).toBe(false)
    expect(evaluateTrigger(fence('exited_fence'), outside, inside, [circle])).toBe(true)
  })
  test('a type stands for every geofence of it; one that is not known leaves it open', () => {
    expect(evaluateTrigger(one('inside_fence', { types: [9] }, 'lat'), inside, null, [circle])).toBe(true)
    expect(evaluateTrigger(one('inside_fence', { fences: [5] }, 'lat'), inside, null, [circle])).toBeNull()
  })
  test('without a geofence, or with another key than lat, it is refused', () => {
    expect(checkTrigger(one('inside_fence', {}, 'lat'))).toHaveLength(1)
    expect(idsOf(one('inside_fence', { fences: [4] }, 'lon'))).toEqual(['triggers.fenceKey'])
  })
})

describe('delta', () => {
  const passes = (operator: string, value: object, from: number, to: number) =>
    evaluateTrigger(one(operator, value), { dev_dist: to }, { dev_dist: from })
  test('fires for the report that passes a multiple of the step, in its direction', () => {
    expect(passes('delta', { value: 1000 }, 999, 1001)).toBe(true)
    expect(passes('delta', { value: 1000 }, 1001, 999)).toBe(true)
    expect(passes('delta+', { value: 1000 }, 1001, 999)).toBe(false)
    expect(passes('delta-', { value: 1000 }, 1001, 999)).toBe(true)
    expect(passes('delta+', { value: 1000 }, 1001, 1500)).toBe(false)
    expect(passes('delta+', { value: 1000 }, 2500, 3000)).toBe(true)
  })
  test('only multiples between start and end count', () => {
    expect(passes('delta+', { value: 1000, start: 2000, end: 3000 }, 999, 1001)).toBe(false)
    expect(passes('delta+', { value: 1000, start: 2000, end: 3000 }, 2999, 3001)).toBe(true)
    expect(passes('delta+', { value: 1000, start: 2000, end: 3000 }, 3999, 4001)).toBe(false)
  })
  test('pre and post make it true around the multiple, freq at intervals there', () => {
    expect(passes('delta+', { value: 1000, pre: 50 }, 940, 955)).toBe(true)
    expect(passes('delta+', { value: 1000, post: 50 }, 1010, 1040)).toBe(true)
    expect(passes('delta+', { value: 1000, post: 50 }, 1040, 1060)).toBe(false)
    expect(passes('delta+', { value: 1000, pre: 40, freq: 20 }, 961, 979)).toBe(false)
    expect(passes('delta+', { value: 1000, pre: 40, freq: 20 }, 979, 981)).toBe(true)
  })
  test('needs a step above 0, and the report before', () => {
    expect(idsOf(one('delta', { value: 0 }))).toEqual(['triggers.stepAbove0'])
    expect(idsOf(one('delta', { value: 5, freq: 1 }))).toEqual(['triggers.freqAlone'])
    expect(evaluateTrigger(one('delta', { value: 10 }), { dev_dist: 10 }, null)).toBe(false)
  })
})

describe('in words', () => {
  const spanish = createTexts({ language: 'es' }).say
  test('a trigger says when it fires, with parentheses where they matter', () => {
    const rules = [moving, pressed, { id: 'home', key: 'lat', operator: 'entered_fence', value: { fences: [4] } }]
    const trigger = { rules, postfix: ['moving', 'input1_press', 'or', 'home', 'and'] }
    const said = describeTrigger(trigger, new Map([[4, 'Yard']]))
    expect(english(said)).toBe(
      'Fires when (speed is above 0 or label is one of “in1on”, “in1off”) and the vehicle enters geofence “Yard”.'
    )
    expect(spanish(said)).toBe(
      'Se activa cuando (speed es mayor que 0 o label es uno de «in1on», «in1off») y el vehículo entra en la geocerca «Yard».'
    )
  })
  test('not, delta and its range are said; what cannot be read stays as it is', () => {
    expect(english(describeTrigger({ ...both, postfix: ['moving', 'input1_press', 'and', 'not'] }))).toContain(
      'not (speed is above 0 and'
    )
    expect(english(describeTrigger(one('delta+', { value: 1000, start: 0, end: 5000, pre: 50, freq: 10 })))).toBe(
      'Fires when dev_dist rises past a multiple of 1000 from 0 up to 5000 (already 50 before, every 10).'
    )
    expect(english(describeTrigger({ ...both, postfix: ['moving', 'and'] }))).toBe('moving and')
  })
  test.each([
    [one('==', true, 'ignition'), 'Fires when ignition is yes.', 'Se activa cuando ignition es sí.'],
    [one('!=', null, 'driver'), 'Fires when driver is not nothing.', 'Se activa cuando driver no es nada.'],
    [
      one('outside_fence', { fences: [4], types: [9] }, 'lat'),
      'Fires when the vehicle is outside geofence 4 or a geofence of type 9.',
      'Se activa cuando el vehículo está fuera de la geocerca 4 o una geocerca del tipo 9.'
    ],
    [
      one('delta-', { value: 10, end: 50, post: 2 }),
      'Fires when dev_dist falls past a multiple of 10 up to 50 (still 2 after).',
      'Se activa cuando dev_dist baja y pasa un múltiplo de 10 hasta 50 (todavía 2 después).'
    ],
    [one('near', [1], 'lat'), 'Fires when lat near [1].', 'Se activa cuando lat near [1].']
  ])('%j is said in both languages', (conditions, en, es) => {
    expect(english(describeTrigger(conditions))).toBe(en)
    expect(spanish(describeTrigger(conditions))).toBe(es)
  })
})
