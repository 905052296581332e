import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  aboutField,
  aboutPlace,
  draftOf,
  emptyBlanks,
  joinedBy,
  joinOf,
  newRule,
  operatorsOf,
  readValue,
  ruleOf,
  subjectOf,
  writeValue
} from '../../../renderer/job/accessories/triggerDraft.ts'

const id = fc.constantFrom('rule1', 'moving', 'input1_press')
const key = fc.constantFrom('label', 'speed', 'valid_position', 'io_exp_in1')
const plain = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((n) => Math.round(n * 100) / 100 + 0)
)
const number = fc.integer({ min: -1000, max: 1000 })
const bounds = fc.record({ start: number, end: number, pre: number, post: number, freq: number }, { requiredKeys: [] })
const rule = fc.oneof(
  fc.record({ id, key, operator: fc.constantFrom('==' as const, '!=' as const, '>=' as const), value: plain }),
  fc.record({
    id,
    key,
    operator: fc.constant('within' as const),
    value: fc.array(plain, { minLength: 1, maxLength: 5 })
  }),
  fc.record({
    id,
    key: fc.constant('lat'),
    operator: fc.constantFrom('entered_fence' as const, 'outside_fence' as const),
    value: fc.record({ fences: fc.array(fc.nat(), { minLength: 1 }), types: fc.array(fc.nat()) })
  }),
  fc.record({
    id,
    key: fc.constant('dev_dist'),
    operator: fc.constantFrom('delta' as const, 'delta+' as const, 'delta-' as const),
    value: fc.tuple(fc.integer({ min: 1, max: 10_000 }), bounds).map(([value, more]) => ({ value, ...more }))
  })
)

test('every rule that the gateway documents becomes a clause with blanks and the same rule again', () => {
  fc.assert(
    fc.property(rule, (wanted) => {
      const draft = draftOf(wanted)
      expect(draft).not.toBeNull()
      expect(draft && ruleOf(draft)).toEqual(wanted)
    })
  )
})

test('a value keeps its kind on its way through the text of a blank', () => {
  fc.assert(
    fc.property(plain, (value) => {
      expect(readValue(writeValue(value))).toEqual(value)
    })
  )
  expect([readValue('true'), readValue('5'), readValue('"5"'), readValue('in1on')]).toEqual([true, 5, '5', 'in1on'])
})

test('each empty blank is named until it is filled', () => {
  expect(emptyBlanks(newRule(1))).toEqual(['value'])
  expect(emptyBlanks({ ...newRule(1), text: 'ignon' })).toEqual([])
  expect(emptyBlanks(aboutPlace(newRule(1)))).toEqual(['fences'])
  expect(emptyBlanks({ ...aboutField(newRule(1), 'speed'), operator: 'delta', step: '0' })).toEqual(['step'])
  expect(emptyBlanks({ ...aboutField(newRule(1), 'speed'), operator: 'delta', step: '5', pre: 'x' })).toEqual([
    'bounds'
  ])
  expect(emptyBlanks({ ...newRule(1), key: '', text: 'a' })).toEqual(['key'])
  expect(ruleOf({ ...newRule(1), text: ' ' })).toBeNull()
})

test('a clause about something else keeps only what fits it', () => {
  const place = aboutPlace({ ...newRule(1), text: 'ignon' })
  expect([subjectOf(place), place.operator, place.text]).toEqual(['place', 'entered_fence', ''])
  const speed = aboutField({ ...newRule(1), operator: 'within' }, 'speed')
  expect([subjectOf(speed), speed.operator]).toEqual(['field', 'within'])
  expect(aboutField({ ...speed, operator: '>' }, 'label').operator).toBe('==')
  expect(operatorsOf('label')).not.toContain('>')
})

test('the word between clauses is read back from the postfix', () => {
  expect(joinOf(joinedBy('or', ['a', 'b', 'c']), ['a', 'b', 'c'])).toBe('or')
  expect(joinOf(['a'], ['a'])).toBe('and')
  expect(joinOf(['a', 'b', 'not', 'and'], ['a', 'b'])).toBe('own')
})

test('what has no blank is no clause', () => {
  expect(draftOf({ id: 'a', key: 'speed', operator: 'matches', value: 1 })).toBeNull()
  expect(draftOf({ id: 'a', key: 'speed', operator: '==', value: { deep: 1 } })).toBeNull()
})
