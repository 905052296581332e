import { chainLinks, type ChainLink } from '../../../preload/contract/support/diagnosis.ts'
import type { GatewayPart } from '../../../preload/contract/support/evidence.ts'
import type { LiveOperation } from '../../../preload/contract/device/workspace.ts'

/** The data of each link: a re-test of one link reads nothing else. */
export const needs: Readonly<Record<ChainLink, { device: readonly LiveOperation[]; gateway: readonly GatewayPart[] }>> =
  {
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

/** All device readings from the first link to this one. */
export function deviceNeedsTo(link: ChainLink): readonly LiveOperation[] {
  return chainLinks.slice(0, chainLinks.indexOf(link) + 1).flatMap((one) => needs[one].device)
}
