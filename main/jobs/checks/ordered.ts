import type { orderedSettings } from '../../../preload/contract/jobs/steps/ordered.ts'
import type { CheckGroup, CheckContext, Outcome } from '../engine/check.ts'
import { checkAnalog } from './analog.ts'
import { checkApn } from './apn.ts'
import { checkClock } from './clock.ts'
import { checkEngineBus } from './engineBus.ts'
import { checkSoftware } from './software.ts'
import { message } from '../../../preload/contract/messages.ts'
import { checkRadio } from './radio.ts'

/** The device's Wi-Fi (`GET /wifi/state`) is on or off as ordered, and in the network that was ordered. */
export function checkWifi(context: CheckContext<'wifi'>): Promise<Outcome> {
  return checkRadio(context, {
    name: message('radio.wifi'),
    read: () => context.device.wifi.state({ signal: context.signal }),
    isJoining: true,
    remedy: message('radio.openWifi')
  })
}

/** The device's hotspot (`GET /hotspot/state`) is on or off as ordered, under the name that was ordered. */
export function checkHotspot(context: CheckContext<'hotspot'>): Promise<Outcome> {
  return checkRadio(context, {
    name: message('radio.hotspot'),
    read: () => context.device.hotspot.state({ signal: context.signal }),
    isJoining: false,
    remedy: message('radio.openHotspot')
  })
}

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
