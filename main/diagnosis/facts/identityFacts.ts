import type { Fact } from '../../../preload/contract/facts.ts'
import { parseDeviceName } from '../../../preload/contract/imei.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { BothSay } from './bothSay.ts'
import { isHeard, mapHeard } from './heard.ts'
import { amount, judge } from './judge.ts'

const asWritten = (text: string) => message('facts.text', { text })
const imeiIn = (name: string) => parseDeviceName(name)?.imei

/** Who it is, in which vehicle, what hangs on it, how far it came and what runs on it. */
export function identityFacts({ device, gateway, tolerances }: BothSay): (Fact | null)[] {
  const own = isHeard(device.imei) ? device.imei : mapHeard(device.hostName, imeiIn)
  return [
    judge<string>({ fact: 'imei', unit: null, device: device.imei, gateway: gateway.imei, oldAfterS: null, say: asWritten }, tolerances),
    // The gateway shows no host name: the IMEI in it has to be that of its record.
    judge<string>({ fact: 'hostName', unit: null, device: device.hostName, gateway: gateway.imei, oldAfterS: null, isSame: (name, imei) => imeiIn(name) === imei, say: asWritten }, tolerances),
    judge<string>({ fact: 'vehicleDevice', unit: null, device: own, gateway: gateway.vehicleImei, oldAfterS: null, say: asWritten }, tolerances),
    judge<boolean>({ fact: 'ecu', unit: null, device: 'notKept', gateway: gateway.hasEngineBus, oldAfterS: null, say: (is) => message(is ? 'facts.detected' : 'facts.notDetected') }, tolerances),
    judge<number>({ fact: 'distance', unit: 'm', device: 'notKept', gateway: gateway.drivenM, oldAfterS: null, say: (m) => amount(Math.round(m), 'm') }, tolerances),
    judge<string>({ fact: 'os', unit: null, device: device.os, gateway: 'notExposed', oldAfterS: null, say: asWritten }, tolerances),
    judge<string>({ fact: 'accelerometer', unit: null, device: device.accelerometer, gateway: 'notExposed', oldAfterS: null, say: asWritten }, tolerances)
  ]
}
