import { expect, test } from 'vitest'
import { readValue, twoNumbers } from '../../../renderer/gateway/events/filters/eventConditions.ts'

test('a typed number that can mean two is neither: both are offered, in a form that means one', () => {
  expect([
    readValue('x', 'number', '12,5'),
    readValue('x', 'number', '1 250'),
    readValue('x', 'number', '1,250,000')
  ]).toEqual([12.5, 1_250, 1_250_000])
  expect(readValue('x', 'number', '1.250')).toBeNull()
  expect(twoNumbers('number', '123,456')).toEqual(['123456', '123.4560'])
  expect(twoNumbers('number', '123,456')?.map((text) => readValue('x', 'number', text))).toEqual([123_456, 123.456])
  expect([twoNumbers('number', '12'), twoNumbers('string', '1.250')]).toEqual([null, null])
})
