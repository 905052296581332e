/** The documented polynomial of the temperature probe, c0 first. */
const coefficients = [
  141.46249, -0.70336715, 0.0019020671, -3.1180082e-6, 3.2320968e-9, -2.2005923e-12, 1.0055822e-15, -3.0989103e-19,
  6.3466737e-23, -8.2710455e-27, 6.2029607e-31, -2.0368055e-35
]
/** The probe's range: from 60 down to -23 degrees. */
const leastMv = 189
const mostMv = 4252

/** Millivolts of a probe at this temperature; higher when colder. */
export function probeMv(celsius: number): number {
  let low = leastMv
  let high = mostMv
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (celsiusOf(middle) > celsius) low = middle
    else high = middle
  }
  return celsiusOf(low) - celsius < celsius - celsiusOf(high) ? low : high
}

function celsiusOf(mv: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * mv + coefficient, 0)
}
