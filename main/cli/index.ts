import { AppError } from '../../preload/contract/errors.ts'
import { createTexts } from '../messages/texts.ts'
import { takeCredentials } from './input/environmentCredentials.ts'
import { runCommand } from './run.ts'

takeCredentials()

// The one place that ends the process: commands return their exit code. A timer or a connection that is left keeps nobody waiting.
runCommand(process.argv.slice(2)).then(end, (error: unknown) => {
  process.stderr.write(`${error instanceof AppError ? createTexts().say(error.sentence) : error instanceof Error ? error.stack : String(error)}\n`)
  end(70)
})

/** Output may still be on its way through a pipe. */
function end(code: number): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit()))
}
