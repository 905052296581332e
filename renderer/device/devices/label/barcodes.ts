import {
  BinaryBitmap,
  Code128Reader,
  Code39Reader,
  DataMatrixReader,
  DecodeHintType,
  EAN13Reader,
  GlobalHistogramBinarizer,
  HybridBinarizer,
  QRCodeReader,
  RGBLuminanceSource,
  type Reader
} from '@zxing/library'

/** Grey values of a picture, a byte each, row by row. */
export interface GreyPicture {
  pixels: Uint8ClampedArray<ArrayBuffer>
  width: number
  height: number
}

const hints = new Map<DecodeHintType, unknown>([[DecodeHintType.TRY_HARDER, true]])
/** The barcodes on device labels; an IMEI is mostly Code 128. */
const lineReaders: Reader[] = [new Code128Reader(), new Code39Reader(), new EAN13Reader()]
const squareReaders: Reader[] = [new QRCodeReader(), new DataMatrixReader()]

/**
 * The text of a barcode in the picture: Code 128, Code 39 and EAN-13 along its rows (see `turnPicture` for the others),
 * QR and DataMatrix in any direction. Undefined when there is none that can be read.
 */
export function readBarcode({ pixels, width, height }: GreyPicture): string | undefined {
  const source = new RGBLuminanceSource(pixels, width, height)
  return (
    read(lineReaders, () => new BinaryBitmap(new GlobalHistogramBinarizer(source))) ??
    read(squareReaders, () => new BinaryBitmap(new HybridBinarizer(source)))
  )
}

function read(readers: Reader[], makeBitmap: () => BinaryBitmap): string | undefined {
  const bitmap = makeBitmap()
  for (const reader of readers) {
    try {
      const text = reader.decode(bitmap, hints).getText()
      if (text) return text
    } catch {
      // The library says "nothing here" by throwing, and meets some pictures with errors of its own: the next one is
      // due.
    }
  }
  return undefined
}

/** The picture turned by a quarter: bars that stand upright on the label then lie along its rows. */
export function turnPicture({ pixels, width, height }: GreyPicture): GreyPicture {
  const turned = new Uint8ClampedArray(pixels.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) turned[x * height + (height - 1 - y)] = pixels[y * width + x] ?? 0
  return { pixels: turned, width: height, height: width }
}

/** Red, green, blue and alpha of a canvas as grey. */
export function toGrey(rgba: Uint8ClampedArray, width: number, height: number): GreyPicture {
  const pixels = new Uint8ClampedArray(width * height)
  for (let index = 0; index < pixels.length; index++) {
    const at = index * 4
    pixels[index] = ((rgba[at] ?? 0) * 2 + (rgba[at + 1] ?? 0) * 5 + (rgba[at + 2] ?? 0)) >> 3
  }
  return { pixels, width, height }
}
