import { AppError } from '../../preload/contract/errors.ts'
import { createTexts } from '../messages/texts.ts'
import { takeCredentials } from './input/environmentCredentials.ts'
import { runCommand } from './run.ts'

/**
 * Runs one command line and ends the process. This is the only place that does: commands return their exit code, and an open
 * timer or connection delays nobody.
 */
export async function runTerminal(args: string[]): Promise<void> {
  takeCredentials()
  await runCommand(args).then(end, (error: unknown) => {
    process.stderr.write(
      `${error instanceof AppError ? createTexts().say(error.sentence) : error instanceof Error ? error.stack : String(error)}\n`
    )
    end(70)
  })
}

/** Output may still be in a pipe. */
function end(code: number): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit()))
}
