import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { AppError, type ErrorData } from '../../preload/contract/errors.ts'
import type { Message } from '../../preload/contract/messages.ts'
import { putTextsBeside } from '../messages/json.ts'
import { createTexts, type Texts } from '../messages/texts.ts'

/** What a command may do with the terminal: results to stdout, everything else to stderr. */
export interface Terminal {
  readonly isJson: boolean
  /** Whether a person can be asked. */
  readonly canAsk: boolean
  /** For `--json` the value with each message as its text and, beside it, as data; else `plain`. */
  result(value: unknown, plain: string): void
  /** What a message says to the person at this terminal. */
  text(message: Message | string | null): string
  /** Progress and messages; nothing with --quiet. */
  say(text: string): void
  /** What must be heard also with --quiet. */
  warn(text: string): void
  /** Throws AppError CANCELLED when the person ends the input or `signal` fires. */
  ask(question: string, signal?: AbortSignal): Promise<string>
  askSecret(question: string, signal?: AbortSignal): Promise<string>
  fail(error: ErrorData): void
}

export function createTerminal(options: { isJson: boolean; isQuiet: boolean; redact(text: string): string }): Terminal {
  const { isJson, isQuiet, redact } = options
  let made: Texts | undefined
  const texts = () => (made ??= createTexts())

  // Whoever reads our output may go away at any time (head, a closed window): no reason to end in the middle of a step.
  for (const stream of [process.stdout, process.stderr]) if (stream.listenerCount('error') === 0) stream.on('error', () => undefined)

  async function ask(question: string, isSecret: boolean, signal: AbortSignal | undefined): Promise<string> {
    // Typed secrets are not echoed: readline writes into nothing, the question goes out by itself.
    const echo = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
    const lines = createInterface({ input: process.stdin, output: echo, terminal: process.stdin.isTTY })
    // While it reads a line, the terminal sends Ctrl+C as a character.
    lines.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'))
    const closed = new Promise<never>((_, reject) => {
      lines.once('close', () => reject(new AppError('CANCELLED', 'The question was not answered.')))
      signal?.addEventListener('abort', () => lines.close(), { once: true })
      if (signal?.aborted) lines.close()
    })
    try {
      if (isSecret) process.stderr.write(`${question} `)
      return (await Promise.race([lines.question(isSecret ? '' : `${question} `), closed])).trim()
    } finally {
      lines.close()
      if (isSecret) process.stderr.write('\n')
    }
  }

  return {
    isJson,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    result(value, plain) {
      const text = isJson ? JSON.stringify(putTextsBeside(value, (message) => texts().say(message))) : plain
      if (text !== '') process.stdout.write(`${redact(text)}\n`)
    },
    say(text) {
      if (!isQuiet) process.stderr.write(`${redact(text)}\n`)
    },
    text: (message) => (message === null ? '' : typeof message === 'string' ? message : texts().say(message)),
    warn: (text) => void process.stderr.write(`${redact(text)}\n`),
    ask: (question, signal) => ask(question, false, signal),
    askSecret: (question, signal) => ask(question, true, signal),
    fail({ code, message, retryable }) {
      const text = redact(texts().say(message))
      if (isJson) process.stdout.write(`${redact(JSON.stringify({ error: { code, message: text, retryable, data: message } }))}\n`)
      else process.stderr.write(`${text}\n`)
    }
  }
}
