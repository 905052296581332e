import type { Fault } from '../../../../simulator/gateway/types.ts'

interface NetworkOutcome {
  /** What happens to the write on its way; null: nothing. */
  fault: Fault | null
  /** Nobody refused anything: only the network, or the gateway's bad moment. */
  isNetworkAlone: boolean
  /** Applied by the gateway, with this attempt alone. */
  isApplied: boolean
  /** Someone else's record is in the place of ours. */
  isOfAnother?: true
}

/** Just inside the grace time: later than that is applied never, by the one assumption of docs/operations.md. */
const lateMs = 119_000

/** What a network and a gateway do with one write. */
export const networkOutcomes = {
  ok: { fault: null, isNetworkAlone: true, isApplied: true },
  'lost before': { fault: { resetBefore: true }, isNetworkAlone: true, isApplied: false },
  'applied, reply lost': { fault: { resetAfter: true }, isNetworkAlone: true, isApplied: true },
  'applied late': { fault: { lateMs }, isNetworkAlone: true, isApplied: true },
  'applied twice by a proxy': { fault: { twice: true }, isNetworkAlone: true, isApplied: true },
  '400': { fault: { status: 400 }, isNetworkAlone: false, isApplied: false },
  '401': { fault: { status: 401 }, isNetworkAlone: true, isApplied: false },
  '403': { fault: { status: 403 }, isNetworkAlone: false, isApplied: false },
  '404': { fault: { status: 404 }, isNetworkAlone: false, isApplied: false },
  '409 ours': { fault: { status: 409, after: true }, isNetworkAlone: true, isApplied: true },
  '409 of another': { fault: { status: 409 }, isNetworkAlone: false, isApplied: false, isOfAnother: true },
  '429': { fault: { status: 429, resetAfterS: 30 }, isNetworkAlone: true, isApplied: false },
  '500 before': { fault: { status: 500 }, isNetworkAlone: true, isApplied: false },
  '500 after': { fault: { status: 500, after: true }, isNetworkAlone: true, isApplied: true },
  'HTML 200': { fault: { html: true }, isNetworkAlone: true, isApplied: false },
  'cut JSON': { fault: { truncated: true }, isNetworkAlone: true, isApplied: true }
} satisfies Record<string, NetworkOutcome>

export type OutcomeName = keyof typeof networkOutcomes
export const outcomeNames = Object.keys(networkOutcomes) as OutcomeName[]

export function outcomeOf(name: OutcomeName): NetworkOutcome {
  return networkOutcomes[name]
}

/** none: reads show everything at once. byRequest: the same question gets the same answer for a while. */
export const cacheModes = ['none', 'byRequest'] as const
export type CacheMode = (typeof cacheModes)[number]
