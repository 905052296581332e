import { expect, it } from 'vitest'
import { imeiIn } from '../../../main/terminal/openDevice.ts'

it.each([
  ['356938035643809', '356938035643809'],
  [' ft4-356938035643809.local ', '356938035643809'],
  ['http://ft4-356938035643809.local/', '356938035643809'],
  ['http://FT4-356938035643809-2.local:8080/status', '356938035643809'],
  ['https://ft4-356938035643809.local/', null],
  ['http://192.168.2.43/', null]
])('The IMEI in what a person names at the terminal, %s', (named, imei) => {
  expect(imeiIn(named)).toBe(imei)
})
