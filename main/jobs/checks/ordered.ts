import type { orderedSettings } from '../../../preload/contract/steps/ordered.ts'
import type { CheckGroup } from '../check.ts'
import { checkAnalog } from './analog.ts'
import { checkApn } from './apn.ts'
import { checkClock } from './clock.ts'
import { checkEngineBus } from './engineBus.ts'
import { checkHotspot } from './hotspot.ts'
import { checkSoftware } from './software.ts'
import { checkWifi } from './wifi.ts'

/** The device's own settings and wiring, as they were ordered. */
export const orderedChecks: CheckGroup<keyof typeof orderedSettings> = {
  clock: { check: checkClock, isWatching: true },
  analog: { check: checkAnalog, isWatching: true },
  wifi: { check: checkWifi, isWatching: true },
  hotspot: { check: checkHotspot, isWatching: true },
  apn: { check: checkApn, isWatching: true },
  engineBus: { check: checkEngineBus, isWatching: true },
  software: { check: checkSoftware }
}
