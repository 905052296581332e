import { AppError } from '../../preload/contract/errors.ts'
import { createTexts } from '../messages/texts.ts'
import { takeCredentials } from './input/environmentCredentials.ts'
import { runCommand } from './run.ts'

takeCredentials()

// The only place that ends the process: commands return their exit code. An open timer or connection delays nobody.
runCommand(process.argv.slice(2)).then(end, (error: unknown) => {
  process.stderr.write(`${error instanceof AppError ? createTexts().say(error.sentence) : error instanceof Error ? error.stack : String(error)}\n`)
  end(70)
})

/** Output may still be in a pipe. */
function end(code: number): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit()))
}
