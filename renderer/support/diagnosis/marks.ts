import type { ChainStep } from '../../../preload/contract/support/diagnosis.ts'
import type { Fact } from '../../../preload/contract/support/facts.ts'
import type { Relation } from '../../base/ui/WitnessMark.vue'
import type { Shape } from '../../base/ui/status.ts'

export const linkShapes: Record<ChainStep['state'], Shape> = {
  ok: 'pass',
  broken: 'fail',
  unknown: 'unknown',
  notReached: 'wait'
}

const links: readonly ChainStep['link'][] = [
  'power',
  'sim',
  'registration',
  'address',
  'apn',
  'gatewayEvent',
  'fix',
  'vehicle',
  'visible'
]

/** The chain before the first answer: it has its place, so that nothing moves when it comes. */
export const uncheckedChain: readonly ChainStep[] = links.map((link) => ({
  link,
  state: 'notReached',
  sentence: { id: 'plain.text', values: { text: '' } },
  short: { id: 'plain.text', values: { text: '' } },
  detail: null,
  source: null,
  remedy: null,
  action: null,
  witness: null,
  readAt: null,
  sinceAt: null
}))

/** Read before this screen was opened: the verdict of an earlier visit. */
export function isFormer({ readAt, state }: Pick<ChainStep, 'readAt' | 'state'>, openedMs: number): boolean {
  return state !== 'notReached' && readAt !== null && Date.parse(readAt) < openedMs
}

/** The mark of a fact: a value that a witness cannot provide is not its failure. */
export function relationOf({ verdict, device }: Fact): Relation {
  switch (verdict) {
    case 'agree':
    case 'differ':
      return verdict
    case 'stale':
      return 'old'
    case 'onlyDevice':
      return 'deviceOnly'
    case 'onlyGateway':
      return 'gatewayOnly'
    case 'notExposed':
      return device ? 'deviceOnly' : 'gatewayOnly'
  }
}

/** Sort order: wrong, then old, then known to one witness only, then equal. */
export const relationOrder: readonly Relation[] = ['differ', 'old', 'deviceOnly', 'gatewayOnly', 'agree']

/** installed: differs from the sign-off of the installation. */
export type FactFilter = 'all' | 'installed' | Relation
export const factFilters: readonly FactFilter[] = ['all', ...relationOrder, 'installed']

/** Facts that stay constant after fitting; all others change while a vehicle is used. */
const fitted: readonly Fact['fact'][] = ['sim', 'apn', 'imei', 'hostName', 'vehicleDevice', 'os', 'accelerometer']

/**
 * Whether a fact differs from the installation, or its witnesses do and agreed then; false when either value is
 * missing.
 */
export function isNotAsInstalled(now: Fact, then: Fact | undefined): boolean {
  if (then?.verdict === 'agree' && now.verdict === 'differ') return true
  const [here, before] = [now.device ?? now.gateway, then && (then.device ?? then.gateway)]
  return fitted.includes(now.fact) && !!here && !!before && here.value !== before.value
}
