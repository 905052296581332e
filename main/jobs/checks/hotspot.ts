import { message } from '../../../preload/contract/messages.ts'
import type { CheckContext, Outcome } from '../check.ts'
import { checkRadio } from './radio.ts'

/** The device's hotspot (`GET /hotspot/state`) is on or off as ordered, under the name that was ordered. */
export function checkHotspot(context: CheckContext<'hotspot'>): Promise<Outcome> {
  return checkRadio(context, {
    name: message('radio.hotspot'),
    read: () => context.device.hotspot.state({ signal: context.signal }),
    isJoining: false,
    remedy: message('radio.openHotspot')
  })
}
