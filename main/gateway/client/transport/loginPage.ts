import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { orAborted } from '../../../base/time/pause.ts'

export type LoginPageGuard = ReturnType<typeof createLoginPageGuard>

export interface LoginPageGuardOptions {
  /** Requests what needs no sign-in. A sentence: something else answers. Rejects when nothing does. */
  look(): Promise<Message | null>
  /** Nothing proves who answers: the first request on a network is a look. */
  isUnproven: boolean
}

/** How long a sign-in page is assumed to be still there, unless a person asks. */
const lookAgainMs = 2_000

/** Keeps tokens and passwords away from the sign-in page of a network in front of the gateway. */
export function createLoginPageGuard({ look, isUnproven }: LoginPageGuardOptions) {
  let isDoubted = isUnproven
  let metAtMs = -Infinity
  let looking: Promise<Message | null> | undefined
  let met: Message | null = null

  async function lookOnce(): Promise<Message | null> {
    met = await look()
    isDoubted = met !== null
    if (met !== null) metAtMs = performance.now()
    return met
  }

  return {
    /** Call before sending a token or a password. UNREADABLE, not sent, while a sign-in page answers. */
    async pass({ isPerson, signal }: { isPerson: boolean; signal: AbortSignal | undefined }): Promise<void> {
      if (!isDoubted) return
      if (isPerson || looking || performance.now() - metAtMs >= lookAgainMs) {
        looking ??= lookOnce().finally(() => (looking = undefined))
        const seen = looking.catch((error: unknown) => {
          throw error instanceof AppError ? error.withFate('notSent') : error
        })
        if ((await (signal ? orAborted(seen, signal) : seen)) === null) return
      }
      throw new AppError(
        met?.id === 'gateway.proxyAsks' ? 'UNREACHABLE' : 'UNREADABLE',
        met ?? message('gateway.loginPage'),
        { retryable: true, fate: 'notSent' }
      )
    },
    /** Something else answered, or may have: nothing is sent before the gateway itself answers. */
    doubt(): void {
      isDoubted = true
    }
  }
}
