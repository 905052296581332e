import { expect, it } from 'vitest'
import { readTypedNumber } from '../../../../preload/base/messages/typedNumber.ts'

it.each<[string | number | undefined, number[]]>([
  ['123456', [123_456]],
  ['12.5', [12.5]],
  ['12,5', [12.5]],
  ['-4,25', [-4.25]],
  ['+3', [3]],
  [' 7 ', [7]],
  ['0,123', [0.123]],
  ['0.123', [0.123]],
  ['1234,567', [1_234.567]],
  ['123 456', [123_456]],
  ['123 456,789', [123_456.789]],
  ['1’234’567', [1_234_567]],
  ['1,234,567', [1_234_567]],
  ['1.234.567', [1_234_567]],
  ['1.234.567,8', [1_234_567.8]],
  ['1,234.567', [1_234.567]],
  [12.5, [12.5]]
])('%j means one number', (typed, meant) => {
  expect(readTypedNumber(typed)).toEqual(meant)
})

it.each<[string, number[]]>([
  ['123,456', [123_456, 123.456]],
  ['123.456', [123_456, 123.456]],
  ['-1.250', [-1_250, -1.25]]
])('%j can mean two numbers', (typed, meant) => {
  expect(readTypedNumber(typed)).toEqual(meant)
})

it.each([
  undefined,
  '',
  ' ',
  'many',
  '12a',
  '.5',
  '5.',
  '12 34',
  '1,23,456',
  '1.234,5.6',
  '1,234,5',
  Number.NaN,
  Infinity
])('%j is no number', (typed) => {
  expect(readTypedNumber(typed)).toEqual([])
})
