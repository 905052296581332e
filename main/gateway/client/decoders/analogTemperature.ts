/** c0 to c11 of the document: Celsius = sum of c_k * mV^k. */
const coefficients = [
  141.46249, -0.70336715, 0.0019020671, -3.1180082e-6, 3.2320968e-9, -2.2005923e-12, 1.0055822e-15, -3.0989103e-19,
  6.3466737e-23, -8.2710455e-27, 6.2029607e-31, -2.0368055e-35
]

/** Range of the reference points: outside of it the polynomial is meaningless. */
const lowestMv = 189
const highestMv = 4252

/**
 * Temperature of an analog sensor in Celsius from millivolts; null outside 189..4252 mV: no sensor, or a broken or
 * shorted wire.
 */
export function analogTemperatureC(millivolts: number): number | null {
  if (!(millivolts >= lowestMv && millivolts <= highestMv)) return null
  let celsius = 0
  for (let k = coefficients.length - 1; k >= 0; k--) celsius = celsius * millivolts + (coefficients[k] ?? 0)
  return Math.round(celsius * 100) / 100
}
