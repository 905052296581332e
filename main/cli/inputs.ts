import { AppError } from '../../preload/contract/errors.ts'
import type { CommandContext } from './context.ts'
import { usageError } from './usage.ts'

/** `--param k=v` as an object; a name that comes twice is refused. */
export function readParams(params: readonly string[] | undefined): Record<string, string> {
  const read = new Map<string, string>()
  for (const param of params ?? []) {
    const at = param.indexOf('=')
    if (at < 1) throw usageError(`--param takes name=value, not "${param}".`)
    const name = param.slice(0, at)
    if (read.has(name)) throw usageError(`--param ${name} is given twice.`)
    read.set(name, param.slice(at + 1))
  }
  return Object.fromEntries(read)
}

export function readBody(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw usageError('--body takes JSON, such as \'{"state": true}\'.')
  }
}

export function required(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === '') throw usageError(`${name} is missing.`)
  return value
}

/** Asks before something is changed; `--yes` has answered already. */
export async function confirmChange(context: CommandContext, what: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!context.terminal.canAsk) throw usageError(`${what} changes something: add --yes.`)
  const answer = await context.terminal.ask(`${what} changes something. Go on? [y/N]`, context.signal)
  if (!/^(y|yes|s|si|sí)$/i.test(answer)) throw new AppError('CANCELLED', 'Nothing was changed.')
}
