import type { TagReading } from '../../../../preload/contract/gateway/accessories.ts'
import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { RawdataEvent } from '../records/data.ts'
import { booleanIn, numberIn, textIn, type Fields } from './fields.ts'

const wakeReasons: Readonly<Record<string, Message>> = {
  R: message('accessories.wokenByReed'),
  C: message('accessories.wokenByTime'),
  B: message('accessories.wokenByButton'),
  M: message('accessories.wokenByMotion'),
  L: message('accessories.wokenByLight'),
  W: message('accessories.wokenByLowBattery'),
  X: message('accessories.wokenByBeacon'),
  i: message('accessories.wokenFirstTime'),
  u: message('accessories.wokenByUnknown')
}

/**
 * The Bluetooth tag of a rawdata event; values outside the documented ranges are null. `batteryMv`: some gateways tell
 * the voltage of the cell instead. Undefined without a tag.
 */
export function readBluetoothTag(event: RawdataEvent | Fields): Omit<TagReading, 'at'> | undefined {
  const fields = event as Fields
  const mac = textIn(fields, 'btt_mac')
  if (mac === null) return undefined
  const temperature = numberIn(fields, 'btt_temp', -100, 450)
  return {
    mac,
    batteryPercent: numberIn(fields, 'btt_battery', 0, 100),
    batteryMv: numberIn(fields, 'btt_battery', 1_000, 5_000),
    humidityPercent: numberIn(fields, 'btt_humidity', 0, 100),
    lightPercent: numberIn(fields, 'btt_light', 0, 100),
    temperatureC: temperature === null ? null : temperature / 10,
    isButtonPressed: booleanIn(fields, 'btt_button'),
    isFalling: booleanIn(fields, 'btt_freefall'),
    isHit: booleanIn(fields, 'btt_impact'),
    isMoving: booleanIn(fields, 'btt_motion'),
    isPresent: booleanIn(fields, 'btt_presence'),
    isReedClosed: booleanIn(fields, 'btt_reed'),
    assetId: numberIn(fields, 'btt_driver'),
    wakeReasons: [...(textIn(fields, 'btt_wreason') ?? '')]
      .filter((letter) => /\S/.test(letter))
      .map((letter) => wakeReasons[letter] ?? plainMessage(letter))
  }
}
