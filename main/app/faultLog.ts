import fs from 'node:fs'
import path from 'node:path'

const longestBytes = 1_000_000

const mostCauses = 10

/** The whole chain of causes: the last error alone says little. */
export function describeFault(error: unknown): string {
  const parts: string[] = []
  const seen = new Set<unknown>()
  let present: unknown = error
  while (present !== undefined && present !== null && !seen.has(present) && parts.length < mostCauses) {
    seen.add(present)
    parts.push(present instanceof Error ? (present.stack ?? `${present.name}: ${present.message}`) : String(present))
    if (present instanceof AggregateError)
      parts.push(
        ...present.errors.map(
          (one) => `  one of several: ${one instanceof Error ? (one.stack ?? one.message) : String(one)}`
        )
      )
    present = present instanceof Error ? present.cause : undefined
  }
  return parts.length === 0 ? String(error) : parts.join('\ncaused by: ')
}

/** Writes Fitter's own faults to `fitter.log` in a folder; `redact` removes secrets from every line. */
export function createFaultLog(folder: string, redact: (text: string) => string): (error: unknown) => void {
  const file = path.join(folder, 'fitter.log')
  return (error) => {
    const text = describeFault(error)
    // One line for each fault: text from outside must not be able to forge another entry.
    const line = `${new Date().toISOString()} ${JSON.stringify(redact(text))}\n`
    try {
      fs.mkdirSync(folder, { recursive: true })
      if (fs.existsSync(file) && fs.statSync(file).size > longestBytes) fs.renameSync(file, `${file}.1`)
      fs.appendFileSync(file, line, { mode: 0o600 })
    } catch {
      // The log is the last resort: when its disk is full or read-only, only the terminal remains.
      process.stderr.write(line)
    }
  }
}
