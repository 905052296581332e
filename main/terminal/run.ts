import { parseArgs } from 'node:util'
import { AppError } from '../../preload/contract/errors.ts'
import { message, plainMessage } from '../../preload/contract/messages.ts'
import { endLimitMs, onEndSignal, onSuspendSignal } from '../app/endSignals.ts'
import { catchFaults } from '../app/lastResort.ts'
import { version } from '../app/version.ts'
import { endOf, findCommand } from './commands/index.ts'
import type { CommandValues } from './command.ts'
import { commonOptions, companyReader, createContext, type CommandContext, type CommonOptions } from './context.ts'
import { exitCodeFor, exitCodes } from './output/exitCodes.ts'
import { options } from './input/options.ts'
import { createTerminal, type Terminal } from './output/terminal.ts'
import { helpOf, commandOverview } from './output/help.ts'
import { startTimeLimit, type TimeLimit } from './input/timeLimit.ts'
import { usageError } from './output/usage.ts'

/** The part of its limit that a command has for ending in order. */
const lastMs = 5_000

/** Runs one command line and returns its exit code. Expected failures are printed, not thrown. */
export async function runCommand(args: string[]): Promise<number> {
  const isJson = args.includes('--json')
  let redact = (text: string) => text
  let terminal: Terminal = createTerminal({ isJson, isQuiet: false, redact: (text) => redact(text) })
  let context: CommandContext | undefined
  let stopFaults = () => undefined as void
  let late: AppError | undefined
  let timeLimit: TimeLimit | undefined
  const ending = new AbortController()
  const interrupt = () => {
    ending.abort(new AppError('CANCELLED', message('terminal.stopped')))
    exitAfter(endLimitMs, () => {
      const left = context?.outputsLeft()
      if (left) terminal.warn(left)
      return exitCodes.attention
    })
  }
  const stopEnding = onEndSignal(interrupt)
  const stopSuspending = onSuspendSignal(async () => {
    const left = await context?.outputsOff()
    if (left !== undefined) terminal.warn(left)
  })
  try {
    const { name, rest, values, common } = readCommandLine(args)
    const company = await companyReader()
    common.language ??= company.language
    const shown = createTerminal({
      isJson: common.json,
      isQuiet: common.quiet,
      reader: { ...company, ...(common.language === undefined ? {} : { language: common.language }) },
      redact: (text) => redact(text)
    })
    terminal = { ...shown, ask: thinking(shown.ask), askSecret: thinking(shown.askSecret) }
    if (values.version) {
      terminal.result({ version }, plainMessage(`Fitter ${version}`))
      return exitCodes.done
    }
    if (values.help || name === 'help') {
      const words = name === 'help' ? rest : [...(name === undefined ? [] : [name]), ...rest]
      const help = words.length === 0 ? commandOverview(common.language) : await helpOf(words, common.language)
      if (help === undefined) throw usageError(message('terminal.noSuchCommand', { name: words.join(' ') }))
      process.stdout.write(`${help}\n`)
      return exitCodes.done
    }
    if (name === undefined) {
      if (!common.json) process.stderr.write(`${commandOverview(common.language)}\n`)
      throw usageError(message('terminal.noCommand'))
    }
    const definition = findCommand([name, ...rest])
    if (!definition) throw usageError(message('terminal.noSuchCommand', { name }))
    context = createContext(common, terminal, ending, (connections) => {
      redact = (text) => connections.redactor.text(text)
    })
    const present = context
    stopFaults = catchFaults({ faulted: (error) => present.faulted(error), end: () => endSoon(ending) })
    // Before any command: also one that builds its own core must not reach a gateway that the company forbids.
    if (common.gatewayUrl !== undefined) await context.companyPolicy()
    const end = endOf(definition, values)
    if (typeof end === 'number') limit(end + (common.timeoutMs ?? 0) / 1000)
    const code = await (await definition.load())(context, rest, values)
    if (late && context.fault() === undefined) return tellLate(late)
    if (context.fault() !== undefined) throw context.fault()
    return code
  } catch (error) {
    return tell(context?.fault() ?? late ?? error)
  } finally {
    await context?.close().catch((error: unknown) => void process.stderr.write(`${redact(stackOf(error))}\n`))
    timeLimit?.stop()
    stopFaults()
    stopEnding()
    stopSuspending()
  }

  /** At its limit a command ends like a stopped one; what does not react ends with the process. */
  function limit(withinS: number): void {
    timeLimit = startTimeLimit(withinS * 1000 - lastMs, () => {
      late = new AppError('TIMEOUT', message('terminal.late', { withinS }), { retryable: true })
      ending.abort(late)
      exitAfter(lastMs, () => tell(context?.fault() ?? late))
    })
  }

  /** The time in which a person thinks about a question does not count. */
  function thinking<Asked extends unknown[]>(
    ask: (...asked: Asked) => Promise<string>
  ): (...asked: Asked) => Promise<string> {
    return async (...asked) => {
      timeLimit?.pause()
      try {
        return await ask(...asked)
      } finally {
        timeLimit?.resume()
      }
    }
  }

  /** Its result is already printed, so the sentence follows it. */
  function tellLate(error: AppError): number {
    terminal.warn(error.sentence)
    return exitCodeFor(error)
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

/** After an uncaught exception a command may never end itself. */
function endSoon(ending: AbortController): void {
  ending.abort(new AppError('CANCELLED', message('terminal.stoppedByFault')))
  exitAfter(endLimitMs, () => exitCodes.bug)
}

/** For a command that does not end when asked. */
function exitAfter(ms: number, code: () => number): void {
  setTimeout(() => process.exit(code()), ms).unref()
}

function stackOf(error: unknown): string {
  const inner = error instanceof AppError ? error.cause : error
  return inner instanceof Error
    ? (inner.stack ?? inner.message)
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error)
}

function readCommandLine(args: string[]): {
  name: string | undefined
  rest: string[]
  values: CommandValues
  common: CommonOptions
} {
  const isSimulate =
    parseArgs({ args, options: { ...options, gateway: { type: 'boolean' } }, allowPositionals: true, strict: false })
      .positionals[0] === 'simulate'
  // `simulate --gateway` starts a gateway, everywhere else `--gateway URL` names one.
  const gateway = isSimulate ? ({ type: 'boolean' } as const) : ({ type: 'string' } as const)
  let parsed
  try {
    parsed = parseArgs({ args, options: { ...options, gateway }, allowPositionals: true, strict: true })
  } catch (error) {
    throw usageError(
      message('terminal.notReadable', { problem: error instanceof Error ? (error.message.split('.')[0] ?? '') : '' })
    )
  }
  const values = parsed.values as CommandValues
  const [name, ...rest] = parsed.positionals
  return { name, rest, values, common: commonOptions(values as Parameters<typeof commonOptions>[0]) }
}
