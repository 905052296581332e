import type { personSettings } from '../../../preload/contract/steps/person.ts'
import type { CheckGroup } from '../check.ts'
import { checkMeasurement, checkQuestion } from './answers.ts'
import { checkPhoto } from './photo.ts'
import { checkSignOff } from './signOff.ts'

/** What only a person can answer. */
export const personChecks: CheckGroup<keyof typeof personSettings> = {
  photo: { check: checkPhoto },
  question: { check: checkQuestion },
  measurement: { check: checkMeasurement },
  signOff: { check: checkSignOff }
}
