import { describe, expect, it } from 'vitest'
import { readVin } from '../../../renderer/device/devices/label/vin.ts'

const read = (text: string) => {
  const reading = readVin(text)
  return reading.kind === 'vin' ? [reading.vin, reading.checkDigit] : reading.why
}

describe('The VIN in a barcode', () => {
  it('is read with its check digit where North America requires one', () => {
    // The example of the standard, and a number whose check digit is X.
    expect(read('11111111111111111A')).toBe('noVin')
    expect(read('1M8GDM9AXKP042788')).toEqual(['1M8GDM9AXKP042788', 'agrees'])
    expect(read('1M8GDM9A0KP042788')).toEqual(['1M8GDM9A0KP042788', 'differs'])
    expect(read('5GZCZ43D13S812715')).toEqual(['5GZCZ43D13S812715', 'agrees'])
    expect(read('1M8GDM9AXKP042789')).toEqual(['1M8GDM9AXKP042789', 'differs'])
  })

  it('of Europe or Asia is never judged by a check digit, also where it agrees by chance', () => {
    expect(read('WVWZZZ1JZXW000001')).toEqual(['WVWZZZ1JZXW000001', 'notUsed'])
    expect(read('VF1KW0BB545678901')).toEqual(['VF1KW0BB545678901', 'notUsed'])
    expect(read('JH4KA8260MC000000')).toEqual(['JH4KA8260MC000000', 'notUsed'])
    for (const digit of '0123456789X')
      expect(read(`WVWZZZ1J${digit}XW000001`)).toEqual([`WVWZZZ1J${digit}XW000001`, 'notUsed'])
  })

  it('is found in lower case, behind the I of an import, and among the other fields of a label', () => {
    expect(read('1m8gdm9axkp042788')).toEqual(['1M8GDM9AXKP042788', 'agrees'])
    expect(read('I1M8GDM9AXKP042788')).toEqual(['1M8GDM9AXKP042788', 'agrees'])
    expect(read('MODEL T;VIN:WVWZZZ1JZXW000001;GVWR 2800')).toEqual(['WVWZZZ1JZXW000001', 'notUsed'])
    expect(read('REF WVWZZZ1JZXW000002 VIN: WVWZZZ1JZXW000001')).toEqual(['WVWZZZ1JZXW000001', 'notUsed'])
  })

  it.each([
    ['IMEI 861234083150006', 'noVin'],
    ['8944100030123456789', 'noVin'],
    ['86123408315000612', 'noVin'],
    ['ABCDEFGHJKLMNPRST', 'noVin'],
    ['WVWZZZ1JZXW00000', 'noVin'],
    ['WVWZZZ1JZXW0000O1', 'letters'],
    ['WVWZZZ1JZXW000001 WVWZZZ1JZXW000002', 'several'],
    ['', 'noVin']
  ])('is not in %j: %s', (text, why) => expect(read(text)).toBe(why))
})
