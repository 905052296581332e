import type { HandlersOf } from '../../../preload/contract/index.ts'
import { readLabelText } from '../../base/reading/labelText.ts'
import type { Discovery } from './index.ts'
import type { DeviceMemory } from './memory.ts'
import type { Networks } from './networks.ts'

/** The calls about finding devices. */
export function createDiscoveryHandlers(
  discovery: Discovery,
  networks: Networks,
  memory: DeviceMemory
): HandlersOf<'discovery'> {
  return {
    'discovery.watch': () => discovery.watch(),
    'discovery.ask': () => discovery.ask(),
    'discovery.addAddress': ({ address, confirmPublic }, signal) =>
      discovery.addAddress(address, { confirmPublic, signal }),
    'discovery.findImei': ({ imei }, signal) => discovery.findImei(imei, { signal }),
    'discovery.readLabel': ({ text }) => readLabelText(text),
    'discovery.gateways': async (_input, signal) => ({ networks: await networks.networks(signal) }),
    'discovery.sweep': ({ card }) => networks.sweep(card),
    'discovery.stopSweep': () => networks.stopSweep(),
    'discovery.sweepState': () => ({ sweep: networks.sweepState() }),
    'discovery.known': (page) => memory.absent(page),
    'discovery.label': ({ imei, label }) => memory.label(imei, label),
    'discovery.forget': ({ imei }) => memory.forget(imei)
  }
}
