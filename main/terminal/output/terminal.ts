import { createRequire } from 'node:module'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { AppError, type ErrorData } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { putTextsBeside } from '../../base/messages/json.ts'
import type { Texts } from '../../base/messages/texts.ts'
import type { ReaderSettings } from '../../../preload/base/messages/settings.ts'
import { surviveLostOutput } from './lostOutput.ts'
import { showJson, showLine, showLines, withShownValues } from './outsideText.ts'

const require = createRequire(import.meta.url)
/**
 * Loaded with the first message, because `import` would have to be awaited: a table without messages needs no texts. An
 * installed Fitter has them in a file of their own beside this one (`vite.main.config.ts`).
 */
const load = (): typeof import('../../base/messages/texts.ts') =>
  require(
    import.meta.url.endsWith('.ts') ? '../../base/messages/texts.ts' : './texts.mjs'
  ) as typeof import('../../base/messages/texts.ts')

/** The terminal for a command: results to stdout, everything else to stderr. */
export type Terminal = ReturnType<typeof createTerminal>

export interface TerminalOptions {
  isJson: boolean
  isQuiet: boolean
  /** How the person reads; by default as the system. */
  reader?: Partial<ReaderSettings>
  redact(text: string): string
}

export function createTerminal({ isJson, isQuiet, reader = {}, redact }: TerminalOptions) {
  let texts: Texts | undefined
  let present = reader
  const reading = (): Texts => (texts ??= load().createTexts(present))
  const inWords = (what: Message): string => reading().say(what)

  surviveLostOutput()

  /** In the person's language; text from outside cannot leave its line. */
  function text(what: Message | string | null | undefined): string {
    if (what === null || what === undefined) return ''
    return typeof what === 'string' ? showLine(what) : showLines(inWords(withShownValues(what)))
  }

  /** Our own lines, made with `text`: control characters are escaped again. */
  function lines(what: Message | string): string {
    return redact(typeof what === 'string' ? showLines(what) : text(what))
  }

  async function ask(question: string, isSecret: boolean, signal: AbortSignal | undefined): Promise<string> {
    // Typed secrets are not echoed: readline writes into nothing, and the question is printed separately.
    const echo = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
    const input = createInterface({ input: process.stdin, output: echo, terminal: process.stdin.isTTY })
    // While it reads a line, the terminal sends Ctrl+C as a character.
    input.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'))
    const closed = new Promise<never>((_, reject) => {
      input.once('close', () => reject(new AppError('CANCELLED', message('terminal.notAnswered'))))
      signal?.addEventListener('abort', () => input.close(), { once: true })
      if (signal?.aborted) input.close()
    })
    try {
      if (isSecret) process.stderr.write(`${question} `)
      return (await Promise.race([input.question(isSecret ? '' : `${question} `), closed])).trim()
    } finally {
      input.close()
      if (isSecret) process.stderr.write('\n')
    }
  }

  function asJson(value: unknown): string {
    return showJson(redact(JSON.stringify(putTextsBeside(value, inWords))))
  }

  return {
    isJson,
    /** From now on in these units and this time zone: the settings of an open data folder. */
    readAs(next: Partial<ReaderSettings>): void {
      present = { ...present, ...next }
      texts = undefined
    },
    /** The zone of every time that is shown, and of every day that is typed. */
    timeZone: (): string => reading().settings.timeZone,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    text,
    /** One JSON document with texts beside its messages, or its plain form: lines made with `text`, or one message. */
    result(value: unknown, plain: Message | string): void {
      const shown = isJson ? asJson(value) : lines(plain)
      if (shown !== '') process.stdout.write(`${shown}\n`)
    },
    /** Progress and messages; nothing with --quiet. */
    say(what: Message | string): void {
      if (!isQuiet) process.stderr.write(`${lines(what)}\n`)
    },
    /** Shown even with --quiet. */
    warn: (what: Message | string): void => void process.stderr.write(`${lines(what)}\n`),
    /** Throws AppError CANCELLED when the person ends the input or `signal` fires. */
    ask: (question: Message | string, signal?: AbortSignal): Promise<string> => ask(lines(question), false, signal),
    askSecret: (question: Message, signal?: AbortSignal): Promise<string> => ask(lines(question), true, signal),
    fail({ code, message: sentence, retryable }: ErrorData): void {
      if (isJson) {
        const error = { code, message: redact(inWords(sentence)), retryable, data: sentence }
        process.stdout.write(`${showJson(redact(JSON.stringify({ error })))}\n`)
      } else process.stderr.write(`${redact(text(sentence))}\n`)
    }
  }
}
