import { describe, expect, it } from 'vitest'
import { readVin } from '../../../renderer/device/devices/label/vin.ts'
import { readBarcode, toGrey, turnPicture, type GreyPicture } from '../../../renderer/device/devices/label/barcodes.ts'
import { drawBars, drawSquare, encodeCode128, encodeCode39, type Drawing } from '../../world/device/drawnCodes.ts'

const imei = '490154203237518'
const vin = '1M8GDM9AXKP042788'

/** The same picture as a camera in a dim cab gives it: less contrast, light from one side, and noise. */
function spoil({ pixels, width, height }: Drawing): GreyPicture {
  let seed = 7
  const noise = () => ((seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5) * 24
  return {
    pixels: pixels.map((value, index) => 60 + value * 0.45 + ((index % width) / width) * 30 + noise()),
    width,
    height
  }
}

describe('A picture of a label', () => {
  it.each([
    ['Code 128', drawBars(encodeCode128(imei))],
    ['Code 39', drawBars(encodeCode39(imei), { barWidth: 2 })],
    ['QR', drawSquare(imei, 'qr')],
    ['DataMatrix', drawSquare(imei, 'dataMatrix')]
  ])('is read as %s, also in bad light', (_name, drawing) => {
    expect(readBarcode(drawing)).toBe(imei)
    expect(readBarcode(spoil(drawing))).toBe(imei)
  })

  it.each([
    ['Code 128', drawBars(encodeCode128(vin))],
    ['Code 39', drawBars(encodeCode39(vin), { barWidth: 1 })],
    ['QR', drawSquare(`MODEL T;VIN:${vin};GVWR 2800`, 'qr')],
    ['DataMatrix', drawSquare(vin, 'dataMatrix')]
  ])('of a door gives its VIN as %s', (_name, drawing) => {
    expect(readVin(readBarcode(drawing) ?? '')).toEqual({ kind: 'vin', vin, checkDigit: 'agrees' })
  })

  it('is read with words around the number', () => {
    expect(readBarcode(drawBars(encodeCode128(`IMEI:${imei}`)))).toBe(`IMEI:${imei}`)
    expect(readBarcode(drawSquare(`MODEL ft4\nIMEI ${imei}\nS/N 001`, 'qr'))).toBe(`MODEL ft4\nIMEI ${imei}\nS/N 001`)
  })

  it('is read on its side once it is turned, and upside down', () => {
    const drawing = drawBars(encodeCode128(imei))
    const onItsSide = turnPicture(drawing)
    expect([onItsSide.width, onItsSide.height]).toEqual([drawing.height, drawing.width])
    expect(readBarcode(onItsSide)).toBeUndefined()
    expect(readBarcode(turnPicture(onItsSide))).toBe(imei)
  })

  it('without a code is nothing, whatever it shows', () => {
    const empty = drawBars([])
    expect(readBarcode(empty)).toBeUndefined()
    expect(readBarcode(spoil(empty))).toBeUndefined()
    const torn = drawBars(encodeCode128(imei).map((bar, index) => (index > 60 && index < 75 ? false : bar)))
    expect(readBarcode(torn)).toBeUndefined()
  })

  it('is taken from the colours of a canvas', () => {
    const grey = toGrey(new Uint8ClampedArray([255, 255, 255, 255, 0, 0, 0, 255, 255, 0, 0, 255]), 3, 1)
    expect([...grey.pixels]).toEqual([255, 0, 63])
  })
})
