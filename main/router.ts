import { calls, type CallName, type CallOutput, type CallParsed } from '../preload/contract/index.ts'
import { AppError, type CallResult } from '../preload/contract/errors.ts'

/** The function behind each call: parsed input in, output of the contract out; throws AppError. */
export type Handlers = { [Name in CallName]: (input: CallParsed<Name>, signal: AbortSignal) => Promise<CallOutput<Name>> | CallOutput<Name> }

const callLimitMs = 60_000

/**
 * The one way into the core for every front end: unknown names and malformed inputs are refused before anything happens,
 * outputs are held against the contract, and nothing but data crosses.
 */
export async function route(handlers: Handlers, name: string, input: unknown, reportFault: (error: unknown) => void): Promise<CallResult<unknown>> {
  if (!Object.hasOwn(calls, name)) return refuse(`There is no call "${name.slice(0, 60)}".`)
  const callName = name as CallName
  const definition = calls[callName]
  const parsed = definition.input.safeParse(input ?? {})
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse(`${callName}: ${issue?.path.join('.') || 'input'}: ${issue?.message ?? 'wrong form'}`)
  }
  try {
    const handler = handlers[callName] as (input: unknown, signal: AbortSignal) => unknown
    const value = await handler(parsed.data, AbortSignal.timeout(callLimitMs))
    return { ok: true, value: definition.output.parse(value) }
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL') return { ok: false, error: error.toData() }
    reportFault(error)
    return { ok: false, error: { code: 'INTERNAL', message: 'A fault in Fitter. It was written to the log; please try again.', retryable: false } }
  }
}

function refuse(message: string): CallResult<never> {
  return { ok: false, error: { code: 'INVALID_REQUEST', message, retryable: false } }
}
