import { parseArgs } from 'node:util'
import { AppError } from '../../preload/contract/errors.ts'
import { version } from '../version.ts'
import { commands } from './commands/index.ts'
import type { CommandValues } from './command.ts'
import { commonOptions, createContext, type CommandContext, type CommonOptions } from './context.ts'
import { exitCodeOf, exitCodes } from './exitCodes.ts'
import { options } from './options.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import { usageError, usageText } from './usage.ts'

/** Runs one command line and gives its exit code. Expected failures are told, not thrown. */
export async function runCommand(args: string[]): Promise<number> {
  const isJson = args.includes('--json')
  let redact = (text: string) => text
  let terminal: Terminal = createTerminal({ isJson, isQuiet: false, redact: (text) => redact(text) })
  let context: CommandContext | undefined
  const ending = new AbortController()
  const interrupt = () => ending.abort(new AppError('CANCELLED', 'Stopped.'))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    const { name, rest, values, common } = readCommandLine(args)
    terminal = createTerminal({ isJson: common.json, isQuiet: common.quiet, redact: (text) => redact(text) })
    if (values.version) {
      terminal.result({ version }, `Fitter ${version}`)
      return exitCodes.done
    }
    if (values.help || name === undefined || name === 'help') {
      process.stdout.write(`${usageText}\n`)
      return name === undefined && !values.help ? exitCodes.usage : exitCodes.done
    }
    const command = commands.get(name)
    if (!command) throw usageError(`There is no command "${name}".`)
    context = createContext(common, terminal, ending.signal, (reach) => {
      redact = (text) => reach.redactor.text(text)
    })
    return await command(context, rest, values)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL') {
      terminal.fail(error.toData())
      return exitCodeOf[error.code]
    }
    terminal.fail({ code: 'INTERNAL', message: 'A fault in Fitter ended this command.', retryable: false })
    process.stderr.write(`${redact(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
    return exitCodes.bug
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    await context?.close()
  }
}

function readCommandLine(args: string[]): { name: string | undefined; rest: string[]; values: CommandValues; common: CommonOptions } {
  const isSimulate = args.find((arg) => !arg.startsWith('-')) === 'simulate'
  // `simulate --gateway` starts one, everywhere else `--gateway URL` names one.
  const gateway = isSimulate ? ({ type: 'boolean' } as const) : ({ type: 'string' } as const)
  let parsed
  try {
    parsed = parseArgs({ args, options: { ...options, gateway }, allowPositionals: true, strict: true })
  } catch (error) {
    throw usageError(error instanceof Error ? `${error.message.split('.')[0]}.` : 'The command line cannot be read.')
  }
  const values = parsed.values as CommandValues
  const [name, ...rest] = parsed.positionals
  return { name, rest, values, common: commonOptions(values as Parameters<typeof commonOptions>[0]) }
}
