import { AppError } from '../../preload/contract/errors.ts'
import { createTexts } from '../messages/texts.ts'
import { takeCredentials } from './givenCredentials.ts'
import { runCommand } from './run.ts'

takeCredentials()

// The one place that ends the process: commands return their exit code. Output may still be on its way through a pipe.
runCommand(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof AppError ? createTexts().say(error.sentence) : error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 70
  }
)
