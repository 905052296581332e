import { imeiFault, placeholderIn } from '../../../preload/contract/base/imei.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'

/** Why this number is not the IMEI of a device; undefined for one that is. */
export function whyNoImei(number: string): Message | undefined {
  switch (imeiFault(number)) {
    case 'length':
      return message('label.length', { n: number.replace(/\D/g, '').length })
    case 'placeholder':
      return message('label.placeholder', { number })
    case 'checkDigit':
      return message('label.checkDigit', { number })
    case undefined:
      return undefined
  }
}

/** What to say of a host whose name has a placeholder in the place of its IMEI; undefined for every other name. */
export function whyPlaceholder(hostname: string | undefined): Message | undefined {
  return placeholderIn(hostname ?? '') === undefined
    ? undefined
    : message('device.placeholderName', { hostname: hostname ?? '' })
}
