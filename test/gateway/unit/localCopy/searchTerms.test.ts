import { expect, test } from 'vitest'
import type { VehicleLine } from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import { startsOf, wordsOf } from '../../../../main/gateway/localCopy/searchTerms.ts'

const line: VehicleLine = {
  id: 107,
  name: 'Camión Ñandú 7',
  plate: 'HLD-007',
  vin: 'YV2RT40A1MB123456',
  imei: '356938035643809',
  groups: [1],
  info: { license_plate: 'HLD-007', color: 'Café', tank: { size_l: 400 }, tags: ['cold chain'], empty: null }
}
const words = ` ${wordsOf([line.name, line.plate, line.vin, line.imei, String(line.id)], line.info)} `
const isFound = (text: string) => startsOf(text).every((start) => words.includes(` ${start}`))

test.each([
  ['camion', 'a name without its accents'],
  ['ÑANDU', 'capital letters'],
  ['hld007', 'a plate without its sign'],
  ['HLD 007', 'a plate with a blank instead'],
  ['643809', 'the last digits of the IMEI, as they stand on the label'],
  ['123456', 'the last digits of the VIN'],
  ['107', 'the id'],
  ['color:cafe', 'one key of the details'],
  ['size_l:400', 'a nested key'],
  ['cold cam', 'the beginnings of several words, in any order']
])('%s is found: %s', (text) => {
  expect(isFound(text)).toBe(true)
})

test.each([
  ['color:red', 'another value of that key'],
  ['tank:cafe', 'the value under another key'],
  ['amion', 'the middle of a word'],
  ['color', 'the name of a key alone']
])('%s is not found: %s', (text) => {
  expect(isFound(text)).toBe(false)
})

test('signs of the query language are only text', () => {
  expect(startsOf('"a" OR b* NOT (c) ^d')).toEqual(['a', 'or', 'b', 'not', 'c', 'd'])
  expect(startsOf(' : ')).toEqual([])
})
