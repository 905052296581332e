import type { Verdict } from '../../../preload/contract/support/facts.ts'
import type { Relation } from '../../base/ui/WitnessMark.vue'

const relations: Readonly<Record<Verdict, Relation>> = {
  agree: 'agree',
  differ: 'differ',
  stale: 'old',
  onlyDevice: 'deviceOnly',
  notExposed: 'deviceOnly',
  onlyGateway: 'gatewayOnly'
}

/** The mark of a verdict. */
export function relationOf(verdict: Verdict): Relation {
  return relations[verdict]
}
