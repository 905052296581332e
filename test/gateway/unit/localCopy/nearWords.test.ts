import { expect, test } from 'vitest'
import { nearestOf, nearStarts } from '../../../../main/gateway/localCopy/nearWords.ts'

const nearest = (text: string, ...texts: (string | null)[]) => nearestOf(text, texts)?.text

test('swapped, wrong, missing and additional letters are forgiven, in a plate as in a name', () => {
  for (const typed of ['B-KH 5999', 'bkh5999', 'BHX 5999', 'BHK 599', 'BHKK 5999', 'BHK 5989'])
    expect(nearest(typed, 'Unit 0109', 'B-HK 5999'), typed).toBe('B-HK 5999')
  expect(nearest('Unti 0109', 'Unit 0109', null)).toBe('Unit 0109')
  expect(nearest('trnasportes', 'Transportes Sur')).toBe('Transportes Sur')
})

test('another word is not a typing error', () => {
  expect(nearest('BHK 1234', 'B-HK 5999')).toBeUndefined()
  expect(nearest('abc', 'abd')).toBeUndefined()
  expect(nearStarts('ab')).toEqual([])
})

test('the nearest text comes first, and swapped letters are searched as they belong', () => {
  expect(nearestOf('BKH 5999', ['BHK 5999', 'BKH 5999'])).toEqual({ text: 'BKH 5999', typos: 0 })
  expect(nearStarts('bkh5999')).toContainEqual(['bhk5999'])
  expect(nearStarts('bkx 5999')).toContainEqual(['5999'])
})
