import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseAddress } from '../../../../main/base/addresses/address.ts'
import { foldText } from '../../../../main/gateway/localCopy/searchTerms.ts'
import { checkBaseAddress } from '../../../../main/gateway/client/transport/address.ts'
import { readLabelText } from '../../../../main/base/reading/labelText.ts'
import { tagMac } from '../../../../preload/contract/gateway/accessories.ts'
import { foldPlate } from '../../../../preload/contract/gateway/exactNames.ts'
import { countHiddenMarks, removeHiddenMarks } from '../../../../preload/base/messages/hiddenMarks.ts'

/** As chats, web pages and spreadsheets put them around what is copied. */
const marks = [
  '\u200b',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202c',
  '\u2060',
  '\u2066',
  '\u2069',
  '\ufeff',
  '\u00ad'
] as const

it.each(marks.map((mark) => [`U+${(mark.codePointAt(0) ?? 0).toString(16)}`, mark] as const))(
  '%s around what a person pastes changes nothing of it',
  (_name, mark) => {
    const around = (text: string) => `${mark}${text.slice(0, 3)}${mark}${text.slice(3)}${mark}`
    expect(parseAddress(around('10.77.0.2:8080'))).toMatchObject({ host: '10.77.0.2', port: 8080 })
    expect(checkBaseAddress(around('https://north.example/api'), '/api')).toBe('https://north.example/api')
    expect(readLabelText(around('867698040023056'))).toEqual({ kind: 'imei', imei: '867698040023056' })
    expect(tagMac.safeParse(around('00:1A:7D:DA:71:13')).success).toBe(true)
    expect(foldPlate(around('ABC-123'))).toBe('abc123')
    expect(foldText(around('Grúa'))).toBe('grua')
  }
)

it('joiners of scripts and of emoji stay, those beside plain letters go', () => {
  expect(removeHiddenMarks('می\u200cخواهم 👩\u200d🔧')).toBe('می\u200cخواهم 👩\u200d🔧')
  expect(removeHiddenMarks('\u200dVan\u200c 1\u200d')).toBe('Van 1')
})

it('any text keeps all that can be seen, and what was counted is gone', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...marks), fc.string({ unit: 'grapheme-ascii', maxLength: 3 }))),
      (parts) => {
        const text = parts.join('')
        const clean = removeHiddenMarks(text)
        expect(clean).toBe(parts.filter((part) => !marks.includes(part as never)).join(''))
        expect(countHiddenMarks(text)).toBe(text.length - clean.length)
        expect(countHiddenMarks(clean)).toBe(0)
      }
    )
  )
})
