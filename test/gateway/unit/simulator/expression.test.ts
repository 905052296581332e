import { expect, test } from 'vitest'
import {
  compileExpression,
  ExpressionError,
  type ExpressionOptions
} from '../../../../simulator/gateway/rawdata/expression.ts'

const row: Record<string, unknown> = { speed: 12, sv: 7, label: 'ignon', valid_position: true, hdop: null, lat: -3 }
const types = {
  speed: 'number',
  sv: 'number',
  label: 'string',
  valid_position: 'boolean',
  hdop: 'number',
  lat: 'number'
} as const
const typeOf: ExpressionOptions['typeOf'] = (name) => types[name as keyof typeof types]
const filter = (text: string): unknown =>
  compileExpression(text, { typeOf, areFieldsMarked: false }).evaluate((name) => row[name])
const value = (text: string): unknown =>
  compileExpression(text, { typeOf, areFieldsMarked: true }).evaluate((name) => row[name])

test.each([
  ['valid_position', true],
  ['not valid_position', false],
  ['speed > 10 and sv >= 7', true],
  ['speed > 10 and sv > 7', false],
  ['speed < 10 or label == "ignon"', true],
  ['not (speed < 10 or sv < 4)', true],
  ["label != 'ignon'", false],
  ['hdop < 2', false],
  ['lat == -3', true],
  ['speed <= 12', true]
])('the filter %s gives %s', (text, expected) => {
  expect(filter(text)).toBe(expected)
})

test.each([
  ['@speed/@sv', 12 / 7],
  ['@speed+2*3', 18],
  ['(@speed+2)*3', 42],
  ['@speed__str+@label', '12ignon'],
  ['@label', 'ignon'],
  ['@speed/0', null],
  ['@hdop*2', null],
  ['10-4-3', 3]
])('the field expression %s gives %s', (text, expected) => {
  expect(value(text)).toBe(expected)
})

test.each([['@speed+@label'], ['@label*2'], ['@nothing'], ['@speed+'], ['(@speed'], ['@speed @sv'], ['@speed ; 1']])(
  '%s is refused',
  (text) => {
    expect(() => value(text)).toThrow(ExpressionError)
  }
)

test.each([['speed > "a"'], ['speed and valid_position'], ['@speed > 1'], ['speed >']])(
  'the filter %s is refused',
  (text) => {
    expect(() => filter(text)).toThrow(ExpressionError)
  }
)
