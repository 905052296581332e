/**
 * Whether a test can run here; where it cannot, says why. In CI a test that is left out is a failure: there it runs,
 * and fails with what is missing.
 */
export function canRun(isThere: boolean, missing: string): boolean {
  if (isThere) return true
  console.log(`Skipped here: ${missing}`)
  return Boolean(process.env.CI) && process.env.CI !== 'false'
}
