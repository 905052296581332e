import { AppError } from '../../preload/contract/errors.ts'
import { createTexts } from '../base/messages/texts.ts'
import { takeCredentials } from './input/environmentCredentials.ts'
import { exitCodes } from './output/exitCodes.ts'
import { sayLostOutput, surviveLostOutput } from './output/lostOutput.ts'
import { runCommand } from './run.ts'

/**
 * Runs one command line and ends the process. This is the only place that does: commands return their exit code, and an
 * open timer or connection delays nobody.
 */
export async function runTerminal(args: string[]): Promise<void> {
  takeCredentials()
  surviveLostOutput()
  await runCommand(args).then(end, (error: unknown) => {
    process.stderr.write(
      `${error instanceof AppError ? createTexts().say(error.sentence) : error instanceof Error ? error.stack : String(error)}\n`
    )
    end(70)
  })
}

/** Output may still be in a pipe. A command that was done is not, for a person or a script that got nothing of it. */
function end(code: number): void {
  process.stdout.write('', (error) => {
    const lost = sayLostOutput(error)
    process.exitCode = lost && code === exitCodes.done ? exitCodes.outputLost : code
    process.stderr.write(lost ? `${createTexts().say(lost)}\n` : '', () => process.exit())
  })
}
