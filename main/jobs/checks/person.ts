import type { personSettings } from '../../../preload/contract/steps/person.ts'
import type { CheckGroup } from '../check.ts'
import { checkMeasurement, checkQuestion, checkSignOff } from './answers.ts'

/** What only a person can answer. */
export const personChecks: CheckGroup<keyof typeof personSettings> = {
  question: { check: checkQuestion },
  measurement: { check: checkMeasurement },
  signOff: { check: checkSignOff }
}
