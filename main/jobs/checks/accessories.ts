import type { accessorySettings } from '../../../preload/contract/steps/accessories.ts'
import type { CheckGroup } from '../check.ts'
import { checkBtTag } from './btTag.ts'
import { checkCamera } from './camera.ts'
import { checkCounters } from './counters.ts'
import { checkExpander } from './expander.ts'
import { checkIButton } from './iButton.ts'
import { checkTemperature } from './temperature.ts'
import { checkTrigger } from './trigger.ts'
import { checkTyres } from './tyres.ts'

/** What hangs on a device besides its own lines: each is seen to work in the events at the gateway. */
export const accessoryChecks: CheckGroup<keyof typeof accessorySettings> = {
  iButton: { check: checkIButton, isWatching: true },
  btTag: { check: checkBtTag, isWatching: true },
  tyres: { check: checkTyres, isWatching: true },
  temperature: { check: checkTemperature, isWatching: true },
  expander: { check: checkExpander, isWatching: true },
  trigger: { check: checkTrigger, isWatching: true },
  camera: { check: checkCamera },
  counters: { check: checkCounters }
}
