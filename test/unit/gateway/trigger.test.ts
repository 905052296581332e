import { describe, expect, test } from 'vitest'
import { checkTrigger, evaluateTrigger } from '../../../main/gateway/decoders/trigger.ts'
import { describeTrigger } from '../../../main/gateway/decoders/triggerText.ts'

const moving = { id: 'moving', key: 'speed', operator: '>', value: 0 }
const pressed = { id: 'input1_press', key: 'label', operator: 'within', value: ['in1on', 'in1off'] }
const both = { rules: [moving, pressed], postfix: ['moving', 'input1_press', 'and'] }
const one = (operator: string, value: unknown, key = 'dev_dist') => ({ rules: [{ id: 'r', key, operator, value }], postfix: ['r'] })
const circle = { id: 4, types: [9], shape: { type: 'Circle' as const, center: [-3.7, 40.4] as const, radiusM: 100 } }
const inside = { lat: 40.4, lon: -3.7 }
const outside = { lat: 40.5, lon: -3.7 }

describe('the postfix', () => {
  test('joins rules as the document shows it: moving, input1_press, and', () => {
    expect(evaluateTrigger(both, { speed: 3, label: 'in1on' }, null)).toBe(true)
    expect(evaluateTrigger(both, { speed: 0, label: 'in1on' }, null)).toBe(false)
    expect(evaluateTrigger({ ...both, postfix: ['moving', 'input1_press', 'or', 'not'] }, { speed: 0, label: 'x' }, null)).toBe(true)
  })
  test('is not known where the deciding field is missing, and is where the other side decides', () => {
    expect(evaluateTrigger(both, { label: 'in1on' }, null)).toBeNull()
    expect(evaluateTrigger(both, { label: 'ignon' }, null)).toBe(false)
  })
  test.each([
    [['moving', 'and'], 'fewer than two'],
    [['moving', 'input1_press'], 'side by side'],
    [['moving', 'engine', 'and'], '"engine"'],
    [['not', 'moving'], 'before any rule'],
    [[], 'empty'],
    [['moving'], 'has no effect']
  ])('%j is refused', (postfix, reason) => {
    expect(checkTrigger({ ...both, postfix }).join(' ')).toContain(reason)
  })
  test('rules of one name, or of the name of an operator, are refused', () => {
    expect(checkTrigger({ rules: [moving, moving], postfix: ['moving'] }).join(' ')).toContain('same name')
    expect(checkTrigger({ rules: [{ ...moving, id: 'and' }], postfix: ['and'] }).join(' ')).toContain('cannot be called')
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
    expect(checkTrigger(one('inside_fence', { fences: [4] }, 'lon')).join()).toContain('"lat"')
  })
})

describe('delta', () => {
  const passes = (operator: string, value: object, from: number, to: number) => evaluateTrigger(one(operator, value), { dev_dist: to }, { dev_dist: from })
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
    expect(checkTrigger(one('delta', { value: 0 })).join()).toContain('above 0')
    expect(checkTrigger(one('delta', { value: 5, freq: 1 })).join()).toContain('pre')
    expect(evaluateTrigger(one('delta', { value: 10 }), { dev_dist: 10 }, null)).toBe(false)
  })
})

describe('in words', () => {
  test('a trigger says when it fires, with parentheses where they matter', () => {
    const rules = [moving, pressed, { id: 'home', key: 'lat', operator: 'entered_fence', value: { fences: [4] } }]
    const trigger = { rules, postfix: ['moving', 'input1_press', 'or', 'home', 'and'] }
    expect(describeTrigger(trigger, 'en', new Map([[4, 'Yard']]))).toBe('Fires when (speed is above 0 or label is one of “in1on”, “in1off”) and the vehicle enters geofence “Yard”.')
    expect(describeTrigger(trigger, 'es', new Map([[4, 'Patio']]))).toBe('Se activa cuando (speed es mayor que 0 o label es uno de “in1on”, “in1off”) y el vehículo entra en la geocerca “Patio”.')
  })
  test('not, delta and its range are said; what cannot be read stays as it is', () => {
    expect(describeTrigger({ ...both, postfix: ['moving', 'input1_press', 'and', 'not'] }, 'en')).toContain('it is not so that (speed is above 0 and')
    expect(describeTrigger(one('delta+', { value: 1000, start: 0, end: 5000, pre: 50, freq: 10 }), 'en')).toBe('Fires when dev_dist rises past a multiple of 1000 from 0 up to 5000 (already 50 −, every 10).')
    expect(describeTrigger({ ...both, postfix: ['moving', 'and'] }, 'en')).toBe('moving and')
  })
})
