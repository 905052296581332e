import type { ChainStep } from '../../../preload/contract/diagnosis/diagnosis.ts'
import type { Fact } from '../../../preload/contract/diagnosis/facts.ts'
import type { Relation } from '../../ui/WitnessMark.vue'
import type { Shape } from '../../ui/status.ts'

export const linkShapes: Record<ChainStep['state'], Shape> = { ok: 'pass', broken: 'fail', unknown: 'unknown', notReached: 'wait' }

/** It was read before this screen was opened: the verdict of an earlier visit. */
export function isFormer({ readAt, state }: Pick<ChainStep, 'readAt' | 'state'>, openedMs: number): boolean {
  return state !== 'notReached' && readAt !== null && Date.parse(readAt) < openedMs
}

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

/** installed: not as it was when the installation was signed off. */
export type FactFilter = 'all' | 'installed' | Relation
export const factFilters: readonly FactFilter[] = ['all', ...relationOrder, 'installed']

/** What stays as it was fitted; everything else changes while a vehicle is used. */
const fitted: readonly Fact['fact'][] = ['sim', 'apn', 'imei', 'hostName', 'vehicleDevice', 'os', 'accelerometer']

/** Whether something is not as it was installed; not where one of both does not say it. */
export function isNotAsInstalled(now: Fact, then: Fact | undefined): boolean {
  const [here, before] = [now.device ?? now.gateway, then && (then.device ?? then.gateway)]
  return fitted.includes(now.fact) && !!here && !!before && here.value !== before.value
}
