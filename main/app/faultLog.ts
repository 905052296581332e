import fs from 'node:fs'
import path from 'node:path'

const longestBytes = 1_000_000

/** Writes faults of Fitter itself to `fitter.log` in a folder; `redact` takes secrets out of every line. */
export function createFaultLog(folder: string, redact: (text: string) => string): (error: unknown) => void {
  const file = path.join(folder, 'fitter.log')
  return (error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    // One fault, one line: what comes from outside must not be able to forge another entry.
    const line = `${new Date().toISOString()} ${JSON.stringify(redact(text))}\n`
    try {
      fs.mkdirSync(folder, { recursive: true })
      if (fs.existsSync(file) && fs.statSync(file).size > longestBytes) fs.renameSync(file, `${file}.1`)
      fs.appendFileSync(file, line, { mode: 0o600 })
    } catch {
      // The log is the last resort: when its disk is full or read-only, the terminal is what remains.
      process.stderr.write(line)
    }
  }
}
