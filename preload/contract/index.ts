import type { z } from 'zod'
import type { EventName, Events } from './events.ts'
import type { CallResult } from './errors.ts'
import * as topics from './base/calls.ts'

type CallsOfTopics = (typeof topics)[keyof typeof topics]
type Together<T> = (T extends unknown ? (one: T) => void : never) extends (one: infer All) => void ? All : never

/** Every call that a front end can make. One definition each; types, checks and documentation come from it. */
export const calls = Object.assign({}, ...Object.values(topics)) as Together<CallsOfTopics>

export type Calls = typeof calls
export type CallName = keyof Calls
/** What a caller passes (defaults may be omitted). */
export type CallInput<Name extends CallName> = z.input<Calls[Name]['input']>
/** What a handler receives (defaults filled in). */
export type CallParsed<Name extends CallName> = z.output<Calls[Name]['input']>
export type CallOutput<Name extends CallName> = z.output<Calls[Name]['output']>

/** What the function behind a call returns; nothing where the output has no fields. */
export type CallAnswer<Name extends CallName> =
  CallOutput<Name> | (Record<never, never> extends CallOutput<Name> ? void : never)
/** The function behind each call: parsed input, output of the contract; throws AppError. */
export type Handlers = {
  [Name in CallName]: (input: CallParsed<Name>, signal: AbortSignal) => Promise<CallAnswer<Name>> | CallAnswer<Name>
}
export type HandlersOf<Topic extends string> = Pick<Handlers, Extract<CallName, `${Topic}.${string}`>>

/** What the preload (or the browser host's page script) puts on `window.fitter`. */
export interface Bridge {
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallResult<CallOutput<Name>>>
  /** Calls `listener` for every event until the returned function is called. */
  subscribe(listener: <Name extends EventName>(name: Name, payload: Events[Name]) => void): () => void
  /** The time of the core's last heartbeat, on the clock of `performance.now()`. */
  lastHeardMs(): number
}
