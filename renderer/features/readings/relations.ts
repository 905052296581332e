import type { Verdict } from '../../../preload/contract/diagnosis/facts.ts'
import type { Relation } from '../../ui/WitnessMark.vue'

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
