import { expect, it } from 'vitest'
import { piecesOf, rankOf, wantedWords } from '../../../renderer/support/find/matching.ts'

const hits = (title: string, text: string) =>
  piecesOf(title, wantedWords(text))
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join('')
const rank = (title: string, text: string, also = '') => rankOf(title, also, wantedWords(text))

it('shows what was looked for: words, beginnings, and numbers without the zeros before them', () => {
  expect(hits('Unit 0007, HLD007', 'hld 7')).toBe('Unit 000[7], [HLD]00[7]')
  expect(hits('Unit 0070, HLD070', 'hld 7')).toBe('Unit 00[7]0, [HLD]0[7]0')
  expect(hits('Job of HLD007', 'HLD007')).toBe('Job of [HLD007]')
  expect(hits('Transportes Núñez', 'nunez')).toBe('Transportes [Núñez]')
  expect(hits('Device …023056 in HLD007', '23056')).toBe('Device …0[23056] in HLD007')
  expect(hits('All outputs off', 'put')).toBe('All out[put]s off')
  expect(hits('Unit 0007', '')).toBe('Unit 0007')
  expect(hits('Unit 0001', 'unit 0001')).toBe('[Unit 0001]')
  expect(hits('Unit 0109, B-HK 5999', 'b-hk 5999')).toBe('Unit 0109, [B-HK 5999]')
  expect(piecesOf('Unit 0110, B-HK 5998', wantedWords('B-HK 5999'), true)).toContainEqual({
    text: 'B-HK 599',
    isHit: true
  })
})

it('puts all of a word before its beginning, and that before a part; a word that is nowhere drops the line', () => {
  expect(rank('HLD007', 'hld 7')).toBeGreaterThan(rank('HLD070', 'hld 7'))
  expect(rank('HLD070', 'hld 7')).toBeGreaterThan(0)
  expect(rank('HLD017', 'hld 7')).toBe(0)
  expect(rank('Devices', 'dev')).toBeGreaterThan(rank('My devices', 'vic'))
  expect(rank('Settings', 'language', 'language theme units')).toBeGreaterThan(0)
  expect(rank('Settings', 'settings')).toBeGreaterThan(rank('Keys', 'settings', 'settings'))
  expect(rank('Settings', 'settings nothing')).toBe(0)
  expect(rank('Jobs', '')).toBeGreaterThan(0)
})
