import fs from 'node:fs'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { checkJson } from '../../base/reading/checkJson.ts'
import type { CommandContext } from '../context.ts'
import { readBounded } from './readBounded.ts'
import { usageError } from '../output/usage.ts'

const mostInputBytes = 20_000_000
/** A person may have to open a password store first; the shortest limit of a command is 30 s. */
const inputLimitS = 20

export interface OperationInput {
  params: Record<string, string>
  body: unknown
}

/**
 * `--param k=v` as an object and `--body` as JSON; `-` reads standard input, so that no process has a secret in its
 * arguments.
 */
export function readInput(
  { param, body }: { param?: string[] | undefined; body?: string | undefined },
  readStandardInput = readAll
): OperationInput {
  const wants = [...(param ?? []).filter((one) => one.endsWith('=-')), ...(body === '-' ? [body] : [])]
  if (wants.length > 1) throw usageError(message('terminal.inputTwice'))
  const given = wants.length === 0 ? '' : readStandardInput()
  return { params: readParams(param, given), body: readBody(body === '-' ? given : body) }
}

/** All of standard input; one final line break is not part of a secret. */
function readAll(): string {
  if (process.stdin.isTTY) throw usageError(message('terminal.inputIsTerminal'))
  // If it can be opened like a file, a pipe that never ends is given up.
  const canOpen = process.platform !== 'win32' && !fs.fstatSync(0).isSocket()
  const given = canOpen ? readBounded('/dev/stdin', mostInputBytes, inputLimitS) : fs.readFileSync(0)
  return given.toString('utf8').replace(/\r?\n$/, '')
}

function readParams(params: readonly string[] | undefined, given: string): Record<string, string> {
  const read = new Map<string, string>()
  for (const param of params ?? []) {
    const at = param.indexOf('=')
    if (at < 1) throw usageError(message('terminal.paramForm', { given: param }))
    const name = param.slice(0, at)
    if (read.has(name)) throw usageError(message('terminal.paramTwice', { name }))
    const value = param.slice(at + 1)
    read.set(name, value === '-' ? given : value)
  }
  return Object.fromEntries(read)
}

function readBody(text: string | undefined): unknown {
  if (text === undefined) return undefined
  const read = checkJson(text)
  if (read.kind !== 'json') throw usageError(message('terminal.bodyForm', { example: '{"state": true}' }))
  return read.value
}

export function requireInput(value: string | undefined, what: string | Message): string {
  if (value === undefined || value.trim() === '') throw usageError(message('terminal.missing', { what }))
  return value
}

/** A whole number of the command line; `usual` when none was typed. */
export function readWhole(
  text: string | undefined,
  { what, least, most, usual }: { what: string; least: number; most: number; usual: number }
): number {
  const value = text === undefined ? usual : Number(text)
  if (!Number.isInteger(value) || value < least || value > most)
    throw usageError(message('terminal.wholeNumber', { what, least, most }))
  return value
}

/** The usual words for yes, in both languages. */
export function isYes(text: string): boolean {
  return /^(y|yes|s|si|sí)$/i.test(text)
}

/** Asks before a change; `--yes` has already answered. */
export async function confirmChange(context: CommandContext, what: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!context.terminal.canAsk) throw usageError(message('terminal.changesNeedsYes', { what }))
  const answer = await context.terminal.ask(message('terminal.changesAsk', { what }), context.signal)
  if (!isYes(answer)) throw new AppError('CANCELLED', message('terminal.nothingChanged'))
}
