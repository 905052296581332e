export interface Tally {
  passed: number
  failed: number
  skipped: number
}

export interface VitestResult {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults?: {
    name: string
    status: string
    message?: string
    assertionResults: { fullName: string; status: string; tags?: string[]; failureMessages?: string[] }[]
  }[]
}

export interface PlaywrightResult {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

const nothingCameOut: Tally = { passed: 0, failed: 1, skipped: 0 }

/** A runner that fails without a failed test (a file that does not load, no tests found) counts as a failure. */
function countFailedRun(tally: Tally, exitCode: number): Tally {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

/** `isOfPart` decides by the tags of a test whether it belongs to this run: vitest reports the others as skipped. */
export function tallyVitest(
  result: VitestResult | undefined,
  exitCode: number,
  isOfPart: (tags: readonly string[]) => boolean = () => true
): Tally {
  if (result === undefined) return nothingCameOut
  const ofOtherParts = (result.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ tags = [], status }) => status === 'skipped' && !isOfPart(tags))
  const skipped = result.numPendingTests + result.numTodoTests - ofOtherParts.length
  return countFailedRun({ passed: result.numPassedTests, failed: result.numFailedTests, skipped }, exitCode)
}

export function tallyPlaywright(result: PlaywrightResult | undefined, exitCode: number): Tally {
  if (result === undefined) return nothingCameOut
  const { expected, unexpected, flaky, skipped } = result.stats
  // A test that passes only on a retry has not passed.
  return countFailedRun({ passed: expected, failed: unexpected + flaky, skipped }, exitCode)
}

export function addUp(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped
    }),
    { passed: 0, failed: 0, skipped: 0 }
  )
}

/**
 * The files and titles of vitest's tests that did not pass: failed, not reached, or not loaded; each with the first line
 * of its reason. `hookErrors` has those of the hooks, by file, which vitest's result leaves out.
 */
export function nameFailures(
  result: VitestResult | undefined,
  hookErrors: Readonly<Record<string, string>> = {}
): string[] {
  return (result?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const titles = assertionResults
      .filter((one) => one.status === 'failed' || one.status === 'pending')
      .map((one) => `${name}: ${one.fullName} (${one.status})${reasonOf(one.failureMessages?.[0])}`)
    return titles.length === 0 && status !== 'passed'
      ? [`${name} (${status})${reasonOf(message) || reasonOf(hookErrors[name])}`]
      : titles
  })
}

function reasonOf(message: string | undefined): string {
  const line = message?.split('\n').find((one) => one.trim() !== '')
  return line === undefined ? '' : `: ${line.trim().slice(0, 400)}`
}

/** CI can provide everything, so a skipped test is a failure there. A run without any test proves nothing. */
export function isGreen({ passed, failed, skipped }: Tally, isCi: boolean): boolean {
  return failed === 0 && passed > 0 && !(isCi && skipped > 0)
}

/** What a test run says at its end of the desktop window. */
export function sayWindowTests(electron: string | undefined): string {
  return electron === undefined
    ? 'The desktop window was tested on a stand-in, and the screens in a browser: there is no Electron here (ELECTRON_PATH, node_modules/electron/dist).'
    : `The desktop window and the screens were also tested in Electron (${electron}).`
}
