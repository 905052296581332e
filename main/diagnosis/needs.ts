import { chainLinks, type ChainLink } from '../../preload/contract/diagnosis/diagnosis.ts'
import type { GatewayPart } from '../../preload/contract/diagnosis/evidence.ts'
import type { LiveOperation } from '../../preload/contract/device/workspace.ts'

/** What each link is judged by: nothing else is read when it alone is tested again. */
export const needs: Readonly<Record<ChainLink, { device: readonly LiveOperation[]; gateway: readonly GatewayPart[] }>> = {
  power: { device: ['io.all'], gateway: ['lines'] },
  sim: { device: ['modem.information', 'system.info'], gateway: ['sim', 'record'] },
  registration: { device: ['modem.information', 'system.info'], gateway: ['events'] },
  address: { device: ['modem.information', 'modem.configuration', 'system.info'], gateway: ['events'] },
  apn: { device: ['modem.configuration'], gateway: ['events'] },
  gatewayEvent: { device: [], gateway: ['events', 'lines', 'record'] },
  fix: { device: ['gps.position', 'system.info'], gateway: ['events'] },
  vehicle: { device: [], gateway: ['vehicle', 'record'] },
  visible: { device: [], gateway: ['user', 'vehicle', 'events'] }
}

/** All that the device is read for from the first link to this one. */
export function deviceNeedsTo(link: ChainLink): readonly LiveOperation[] {
  return chainLinks.slice(0, chainLinks.indexOf(link) + 1).flatMap((one) => needs[one].device)
}
