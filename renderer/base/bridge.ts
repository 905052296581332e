import type { ErrorCode, ErrorData } from '../../preload/contract/errors.ts'
import { message, nameMessage, type Message } from '../../preload/contract/messages.ts'
import type { EventName, Events } from '../../preload/contract/events.ts'
import type { Bridge, CallInput, CallName, CallOutput } from '../../preload/contract/index.ts'

declare global {
  interface Window {
    fitter?: Bridge
  }
}

/** A failed call, with the core's error (or `TIMEOUT` when the core itself did not answer). */
export class BridgeError extends Error {
  override readonly name = 'BridgeError'
  readonly code: ErrorCode
  readonly sentence: Message
  readonly retryable: boolean

  constructor(data: ErrorData) {
    super(nameMessage(data.message))
    this.code = data.code
    this.sentence = data.message
    this.retryable = data.retryable
  }
}

const pollMs = 50
const bridgeWithinMs = 3_000

/**
 * Waits until the preload or the page script of the browser host has put the bridge there. False when it never came.
 */
export async function waitForBridge(): Promise<boolean> {
  for (let waitedMs = 0; !window.fitter && waitedMs < bridgeWithinMs; waitedMs += pollMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  return window.fitter !== undefined
}

function bridge(): Bridge {
  if (!window.fitter) {
    throw new BridgeError({
      code: 'INTERNAL',
      message: message('windowApp.notConnected.call'),
      retryable: false
    })
  }
  return window.fitter
}

/** When the core last gave a sign of life, on the clock of `performance.now()`. */
export function lastHeardMs(): number {
  return bridge().lastHeardMs()
}

/**
 * Calls the core and returns the value, or throws a `BridgeError`. `limitMs` is for a core that does not answer at all.
 */
export async function call<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  limitMs = 60_000
): Promise<CallOutput<Name>> {
  // Vue's proxies cannot be cloned across the border.
  const plain = JSON.parse(JSON.stringify(input)) as CallInput<Name>
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new BridgeError({
            code: 'TIMEOUT',
            message: message('windowApp.noAnswer', { limitMs }),
            retryable: true
          })
        ),
      limitMs
    )
  })
  try {
    const result = await Promise.race([bridge().call(name, plain), tooLate])
    if (!result.ok) throw new BridgeError(result.error)
    return result.value
  } finally {
    clearTimeout(timer)
  }
}

/** Calls `listener` for every event of that name until the returned function is called. */
export function subscribe<Name extends EventName>(name: Name, listener: (payload: Events[Name]) => void): () => void {
  return bridge().subscribe((eventName, payload) => {
    if ((eventName as EventName) === name) listener(payload as unknown as Events[Name])
  })
}
