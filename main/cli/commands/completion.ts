import { message, plainMessage } from '../../../preload/contract/messages.ts'
import type { Command, CommandGroup } from '../command.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { completionScript, shells } from '../output/completion.ts'
import { usageError } from '../output/usage.ts'

/** `fitter completion SHELL`: prints the script that completes commands in that shell. */
export const completionOf = (groups: readonly CommandGroup[]): Command => ({ terminal }, [name, ...others]) => {
  const shell = shells.find((one) => one === name)
  if (shell === undefined || others.length > 0) throw usageError(message('terminal.completionNeedsShell', { shells: [...shells] }))
  const script = completionScript(shell, groups)
  // The terminal would show its line breaks as characters.
  if (terminal.isJson) terminal.result({ shell, script }, plainMessage(''))
  else process.stdout.write(script)
  return Promise.resolve(exitCodes.done)
}
