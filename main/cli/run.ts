import { parseArgs } from 'node:util'
import { AppError } from '../../preload/contract/errors.ts'
import { message, plainMessage } from '../../preload/contract/messages.ts'
import { catchFaults } from '../app/lastResort.ts'
import { version } from '../app/version.ts'
import { commands } from './commands/index.ts'
import type { CommandValues } from './command.ts'
import { commonOptions, createContext, type CommandContext, type CommonOptions } from './context.ts'
import { exitCodeFor, exitCodes } from './exitCodes.ts'
import { options } from './options.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import { openCatalogue } from '../messages/catalogue.ts'
import { systemLanguage } from '../messages/system.ts'
import { usageError } from './usage.ts'

/** So long may outputs need that are on. */
const endLimitMs = 30_000
/** A closed terminal is no reason to leave an output on. */
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs one command line and gives its exit code. Expected failures are told, not thrown. */
export async function runCommand(args: string[]): Promise<number> {
  const isJson = args.includes('--json')
  let redact = (text: string) => text
  let terminal: Terminal = createTerminal({ isJson, isQuiet: false, redact: (text) => redact(text) })
  let context: CommandContext | undefined
  let stopFaults = () => undefined as void
  const ending = new AbortController()
  const interrupt = () => ending.abort(new AppError('CANCELLED', message('terminal.stopped')))
  // The first one ends everything in good order (an output that is on goes off first), the second one at once.
  for (const signal of endSignals) process.once(signal, interrupt)
  try {
    const { name, rest, values, common } = readCommandLine(args)
    terminal = createTerminal({ isJson: common.json, isQuiet: common.quiet, language: common.language, redact: (text) => redact(text) })
    if (values.version) {
      terminal.result({ version }, plainMessage(`Fitter ${version}`))
      return exitCodes.done
    }
    if (values.help || name === 'help') {
      process.stdout.write(`${usageText(common.language)}\n`)
      return exitCodes.done
    }
    if (name === undefined) {
      if (!common.json) process.stderr.write(`${usageText(common.language)}\n`)
      throw usageError(message('terminal.noCommand'))
    }
    const load = commands.get(name)
    if (!load) throw usageError(message('terminal.noSuchCommand', { name }))
    context = createContext(common, terminal, ending, (connections) => {
      redact = (text) => connections.redactor.text(text)
    })
    const present = context
    stopFaults = catchFaults({ faulted: (error) => present.faulted(error), end: () => endSoon(ending) })
    const code = await (await load(rest))(context, rest, values)
    if (context.fault() !== undefined) throw context.fault()
    return code
  } catch (error) {
    return tell(context?.fault() ?? error)
  } finally {
    await context?.close().catch((error: unknown) => void process.stderr.write(`${redact(stackOf(error))}\n`))
    stopFaults()
    for (const signal of endSignals) process.off(signal, interrupt)
  }

  function tell(error: unknown): number {
    if (error instanceof AppError && error.code !== 'INTERNAL') {
      terminal.fail(error.toData())
      return exitCodeFor(error)
    }
    terminal.fail({ code: 'INTERNAL', message: message('app.faultEndedCommand'), retryable: false })
    process.stderr.write(`${redact(stackOf(error))}\n`)
    return exitCodes.bug
  }
}

/** Only this one text is asked for, so the catalogue alone is read. */
function usageText(language: 'en' | 'es' = systemLanguage()): string {
  return openCatalogue(language)('terminalHelp.usage') ?? ''
}

/** After an exception that nobody caught a command may never come to its end by itself. */
function endSoon(ending: AbortController): void {
  ending.abort(new AppError('CANCELLED', message('terminal.stoppedByFault')))
  setTimeout(() => process.exit(exitCodes.bug), endLimitMs).unref()
}

function stackOf(error: unknown): string {
  const inner = error instanceof AppError ? error.cause : error
  return inner instanceof Error ? (inner.stack ?? inner.message) : error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function readCommandLine(args: string[]): { name: string | undefined; rest: string[]; values: CommandValues; common: CommonOptions } {
  const isSimulate = parseArgs({ args, options: { ...options, gateway: { type: 'boolean' } }, allowPositionals: true, strict: false }).positionals[0] === 'simulate'
  // `simulate --gateway` starts one, everywhere else `--gateway URL` names one.
  const gateway = isSimulate ? ({ type: 'boolean' } as const) : ({ type: 'string' } as const)
  let parsed
  try {
    parsed = parseArgs({ args, options: { ...options, gateway }, allowPositionals: true, strict: true })
  } catch (error) {
    throw usageError(message('terminal.notReadable', { problem: error instanceof Error ? (error.message.split('.')[0] ?? '') : '' }))
  }
  const values = parsed.values as CommandValues
  const [name, ...rest] = parsed.positionals
  return { name, rest, values, common: commonOptions(values as Parameters<typeof commonOptions>[0]) }
}
