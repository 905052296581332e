import type { ChainStep } from '../../../preload/contract/diagnosis.ts'
import type { Fact } from '../../../preload/contract/facts.ts'
import type { Relation } from '../../ui/WitnessMark.vue'
import type { Shape } from '../../ui/status.ts'

export const linkShapes: Record<ChainStep['state'], Shape> = { ok: 'pass', broken: 'fail', unknown: 'unknown', notReached: 'wait' }

/** The mark of a fact: what one of them cannot show is no failure of it. */
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

/** Wrong first, then old, then what only one of them knows, then what agrees. */
export const relationOrder: readonly Relation[] = ['differ', 'old', 'deviceOnly', 'gatewayOnly', 'agree']

export type FactFilter = 'all' | Relation
export const factFilters: readonly FactFilter[] = ['all', ...relationOrder]
