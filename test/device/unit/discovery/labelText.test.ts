import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLabelText } from '../../../../main/base/reading/labelText.ts'
import { isValidImei } from '../../../../preload/contract/base/imei.ts'
import { message } from '../../../../preload/contract/messages.ts'

const imei = '490154203237518'
const other = '867698040023056'
const wrong = '490154203237519'

describe('The IMEI of a label', () => {
  test.each([
    [imei],
    [` ${imei}\r\n`],
    [`IMEI:${imei}`],
    [`IMEI: ${imei}`],
    ['49-015420-323751-8'],
    ['IMEI 490154 20 323751 8'],
    ['49015420-323751-8-01'],
    ['4901 5420 3237 518'],
    // IMEISV: 15 digits and two of software version; 14 and two where the label says so.
    [`${imei}01`],
    ['IMEI/SV: 4901542032375101'],
    [`ft4-${imei}`],
    [`https://label.example/?imei=${imei}&sn=1`],
    [`MODEL ft4\nS/N 00012345\nIMEI ${imei}\nICCID 8944100030123456789\nMAC 00:11:22:33:44:55`],
    [`IMEI ${wrong}\nIMEI ${imei}`],
    // Two numbers pass as IMEIs, but the label says which one it is.
    [`S/N ${other} IMEI: ${imei}`],
    [`IMEI ${imei} IMEI ${imei}`]
  ])('is found in %j', (text) => {
    expect(readLabelText(text)).toEqual({ kind: 'imei', imei })
  })

  test.each([`IMEI1: ${imei}\nIMEI2: ${other}`, `IMEI 1: ${imei} IMEI 2: ${other}`, `${imei} ${other}`])(
    'is not guessed where there are two: %j',
    (text) => {
      expect(readLabelText(text)).toMatchObject({
        kind: 'ambiguous',
        imeis: [imei, other],
        detail: message('label.several', { n: 2 })
      })
    }
  )

  test.each([
    [wrong, message('label.checkDigit', { number: wrong })],
    [`IMEI: ${wrong}`, message('label.checkDigit', { number: wrong })],
    ['49O154203237518', message('label.notADigit', { part: 'O' })],
    ['IMEI 49 015420 32375l 8', message('label.notADigit', { part: 'l' })],
    ['49015420323751', message('label.length', { n: 14 })],
    ['4901542032375101', message('label.length', { n: 16 })],
    ['8944100030123456789', message('label.length', { n: 19 })],
    ['ICCID 8944100030123456789', message('label.none')],
    ['hello', message('label.none')]
  ])('is refused with the reason in %j', (text, detail) => {
    expect(readLabelText(text)).toEqual({ kind: 'none', detail })
  })

  test('is never one with a wrong check digit, whatever is read', () => {
    const noise = fc.array(
      fc.oneof(
        fc.string(),
        fc.stringMatching(/^[\d .\/-]{0,24}$/),
        fc.constant('IMEI'),
        fc.constant(imei),
        fc.constant(wrong)
      )
    )
    fc.assert(
      fc.property(noise, (parts) => {
        const reading = readLabelText(parts.join(''))
        if (reading.kind === 'imei') expect(isValidImei(reading.imei)).toBe(true)
        if (reading.kind === 'ambiguous') for (const one of reading.imeis) expect(isValidImei(one)).toBe(true)
      }),
      { numRuns: 2_000 }
    )
  })
})
