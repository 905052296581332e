import type { Fact } from '../../../../preload/contract/support/facts.ts'
import type { Tolerances } from '../../../../preload/contract/support/tolerances.ts'
import { deviceSays } from './deviceSays.ts'
import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import { gatewaySays } from './gatewaySays.ts'
import { hasReading, mapReading } from './witnessReading.ts'
import { lineFacts } from './lineFacts.ts'
import { networkFacts } from './networkFacts.ts'
import { placeFacts } from './placeFacts.ts'
import { parseDeviceName } from '../../../../preload/contract/base/imei.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { BothSay } from './bothSay.ts'
import { amountText, judgeFact } from './judge.ts'

/**
 * The device's values compared with the gateway's, fact by fact, in a fixed order; facts that neither reports are left
 * out.
 */
export function compareFacts(evidence: Evidence, tolerances: Tolerances): Fact[] {
  const device = deviceSays(evidence)
  const gateway = gatewaySays(evidence, hasReading(device.simId) ? device.simId.value : undefined)
  const both = { device, gateway, evidence, tolerances }
  return [...placeFacts(both), ...lineFacts(both), ...networkFacts(both), ...identityFacts(both)].filter(
    (one) => one !== null
  )
}

const asWritten = (text: string) => message('plain.text', { text })
const imeiIn = (name: string) => parseDeviceName(name)?.imei

function identityFacts({ device, gateway, tolerances }: BothSay): (Fact | null)[] {
  const own = hasReading(device.imei) ? device.imei : mapReading(device.hostName, imeiIn)
  return [
    judgeFact<string>(
      { fact: 'imei', unit: null, device: device.imei, gateway: gateway.imei, oldAfterS: null, say: asWritten },
      tolerances
    ),
    // The gateway shows no host name: the IMEI in it must be that of its record.
    judgeFact<string>(
      {
        fact: 'hostName',
        unit: null,
        device: device.hostName,
        gateway: gateway.imei,
        oldAfterS: null,
        isSame: (name, imei) => imeiIn(name) === imei,
        say: asWritten
      },
      tolerances
    ),
    judgeFact<string>(
      { fact: 'vehicleDevice', unit: null, device: own, gateway: gateway.vehicleImei, oldAfterS: null, say: asWritten },
      tolerances
    ),
    judgeFact<boolean>(
      {
        fact: 'ecu',
        unit: null,
        device: 'notKept',
        gateway: gateway.hasEngineBus,
        oldAfterS: null,
        say: (is) => message(is ? 'facts.detected' : 'facts.notDetected')
      },
      tolerances
    ),
    judgeFact<number>(
      {
        fact: 'distance',
        unit: 'm',
        device: 'notKept',
        gateway: gateway.drivenM,
        oldAfterS: null,
        say: (m) => amountText(Math.round(m), 'm')
      },
      tolerances
    ),
    judgeFact<string>(
      { fact: 'os', unit: null, device: device.os, gateway: 'notExposed', oldAfterS: null, say: asWritten },
      tolerances
    ),
    judgeFact<string>(
      {
        fact: 'accelerometer',
        unit: null,
        device: device.accelerometer,
        gateway: 'notExposed',
        oldAfterS: null,
        say: asWritten
      },
      tolerances
    )
  ]
}
