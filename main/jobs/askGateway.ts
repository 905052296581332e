import { AppError, type ErrorCode } from '../../preload/contract/errors.ts'

const awayCodes: ErrorCode[] = ['UNREACHABLE', 'TIMEOUT', 'UNREADABLE', 'SERVER_ERROR', 'RATE_LIMITED', 'NOT_AUTHENTICATED']

export type GatewayAnswer<T> = { kind: 'answer'; value: T } | { kind: 'away'; why: string } | { kind: 'no'; why: string }

/**
 * Asks the gateway as a check does: out of reach is a state, not an error ("away": later it may answer);
 * "no" is its own refusal.
 */
export async function askGateway<T>(ask: () => Promise<T>): Promise<GatewayAnswer<T>> {
  try {
    return { kind: 'answer', value: await ask() }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    return { kind: awayCodes.includes(error.code) ? 'away' : 'no', why: error.message }
  }
}
