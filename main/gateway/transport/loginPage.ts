import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { orAborted } from '../../time/pause.ts'
import type { TransportAnswer } from './transport.ts'

/** Whether the body is a web page, whatever its content type. */
export function isMarkup(answer: Pick<TransportAnswer, 'headers' | 'body'>): boolean {
  return (
    /\bhtml\b/i.test(answer.headers.get('content-type') ?? '') ||
    /^\s*</.test(answer.body.subarray(0, 4000).toString('utf8'))
  )
}

/** Something other than the gateway answered: a redirect, a sign-in page (511), a page instead of data; not a 5xx. */
export function isForeign(
  answer: Pick<TransportAnswer, 'status' | 'headers' | 'body'>,
  isPageExpected = false
): boolean {
  const { status } = answer
  if ((status >= 300 && status < 400) || status === 511) return true
  return status >= 200 && status < 300 && !isPageExpected && isMarkup(answer)
}

/** A refusal that may come from something else: a page instead of data, and any refused sign-in. Fitter looks for the gateway first. */
export function isDoubtful(answer: Pick<TransportAnswer, 'status' | 'headers' | 'body'>, isSignIn: boolean): boolean {
  const { status } = answer
  if (isSignIn) return (status === 400 || status === 401 || status === 403) && !isJson(answer)
  return (status === 401 || status === 403) && isMarkup(answer)
}

/** Whether a look met the gateway: only a redirect, or a page without any sign of the gateway, counts against it. */
export function isGatewayItself(answer: Pick<TransportAnswer, 'status' | 'headers' | 'body'>): boolean {
  if (isForeign(answer)) return false
  const names = [...answer.headers.keys()]
  return answer.status >= 500 || !isMarkup(answer) || names.some((name) => /^x-(gw|ratelimit)-/.test(name))
}

function isJson({ body }: Pick<TransportAnswer, 'body'>): boolean {
  try {
    JSON.parse(body.subarray(0, 100_000).toString('utf8'))
    return true
  } catch {
    return false
  }
}

export type LoginPageGuard = ReturnType<typeof createLoginPageGuard>

export interface LoginPageGuardOptions {
  /** Requests what needs no sign-in. False: something else answers. Rejects when nothing does. */
  look(): Promise<boolean>
  /** Nothing proves who answers: the first request on a network is a look. */
  isUnproven: boolean
}

/** How long a sign-in page is assumed to be still there, unless a person asks. */
const lookAgainMs = 2_000

/** Keeps tokens and passwords away from the sign-in page of a network in front of the gateway. */
export function createLoginPageGuard({ look, isUnproven }: LoginPageGuardOptions) {
  let isDoubted = isUnproven
  let metAtMs = -Infinity
  let looking: Promise<boolean> | undefined

  async function lookOnce(): Promise<boolean> {
    const isGateway = await look()
    isDoubted = !isGateway
    if (!isGateway) metAtMs = performance.now()
    return isGateway
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
        if (await (signal ? orAborted(seen, signal) : seen)) return
      }
      throw new AppError('UNREADABLE', message('gateway.loginPage'), { retryable: true, fate: 'notSent' })
    },
    /** Something else answered, or may have: nothing is sent before the gateway itself answers. */
    doubt(): void {
      isDoubted = true
    }
  }
}
