import type { roadSettings } from '../../../preload/contract/steps/road.ts'
import type { CheckGroup } from '../check.ts'
import { checkRemoved } from './removed.ts'
import { checkSwapped } from './swapped.ts'
import { checkTestTrip } from './testTrip.ts'

/** A vehicle on the road, and a device out of it. */
export const roadChecks: CheckGroup<keyof typeof roadSettings> = {
  testTrip: { check: checkTestTrip },
  removed: { check: checkRemoved },
  swapped: { check: checkSwapped }
}
