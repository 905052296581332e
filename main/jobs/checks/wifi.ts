import { message } from '../../../preload/contract/messages.ts'
import type { CheckContext, Outcome } from '../check.ts'
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
