import { expect, it } from 'vitest'
import { decodeUtf8, withoutMark } from '../../../../preload/base/messages/utf8.ts'

it.each<[string, number[], string | undefined]>([
  ['letters', [0x41, 0xc3, 0xb1], 'Añ'],
  ['nothing', [], ''],
  ['a mark, which stays', [0xef, 0xbb, 0xbf, 0x41], '\ufeffA'],
  ['a letter of another code page', [0x41, 0xf1], undefined],
  ['half a letter', [0xc3], undefined],
  ['a letter written too long', [0xc0, 0xaf], undefined],
  ['half a pair of UTF-16', [0xed, 0xa0, 0x80], undefined]
])('bytes of %s', (_what, bytes, text) => expect(decodeUtf8(Uint8Array.from(bytes))).toBe(text))

it.each([
  ['\ufeff{"a":1}', '{"a":1}'],
  ['{"a":1}', '{"a":1}'],
  ['\ufeff\ufeffa', '\ufeffa'],
  ['a\ufeff', 'a\ufeff'],
  ['', '']
])('%j without its mark', (text, bare) => expect(withoutMark(text)).toBe(bare))
