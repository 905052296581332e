import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { ErrorData } from '../../preload/contract/errors.ts'

/** What a command may do with the terminal: results to stdout, everything else to stderr. */
export interface Terminal {
  readonly isJson: boolean
  /** Whether a person can be asked. */
  readonly canAsk: boolean
  /** One JSON document, or its plain form. */
  result(value: unknown, plain: string): void
  /** Progress and messages; nothing with --quiet. */
  say(text: string): void
  ask(question: string): Promise<string>
  askSecret(question: string): Promise<string>
  fail(error: ErrorData): void
}

export function createTerminal(options: { isJson: boolean; isQuiet: boolean; redact(text: string): string }): Terminal {
  const { isJson, isQuiet, redact } = options

  async function ask(question: string, isSecret: boolean): Promise<string> {
    // Typed secrets are not echoed: readline writes into nothing, the question goes out by itself.
    const echo = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
    const lines = createInterface({ input: process.stdin, output: echo, terminal: process.stdin.isTTY })
    try {
      if (isSecret) process.stderr.write(`${question} `)
      return (await lines.question(isSecret ? '' : `${question} `)).trim()
    } finally {
      lines.close()
      if (isSecret) process.stderr.write('\n')
    }
  }

  return {
    isJson,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    result(value, plain) {
      const text = isJson ? JSON.stringify(value) : plain
      if (text !== '') process.stdout.write(`${redact(text)}\n`)
    },
    say(text) {
      if (!isQuiet) process.stderr.write(`${redact(text)}\n`)
    },
    ask: (question) => ask(question, false),
    askSecret: (question) => ask(question, true),
    fail({ code, message, retryable }) {
      if (isJson) process.stdout.write(`${JSON.stringify({ error: { code, message: redact(message), retryable } })}\n`)
      else process.stderr.write(`${redact(message)}\n`)
    }
  }
}
