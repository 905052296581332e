import type { Fact } from '../../../../preload/contract/support/facts.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { lastDigits, sameSim } from '../../../base/reading/simNumber.ts'
import type { BothSay } from './bothSay.ts'
import { amountText, judgeFact } from './judge.ts'

const between = (a: number, b: number) => Math.abs(a - b)
const asWritten = (text: string) => (text === '' ? message('facts.none') : message('plain.text', { text }))

/** The mobile network, the SIM and the clocks. Only the device has operator, address and APN. */
export function networkFacts({ device, gateway, tolerances }: BothSay): (Fact | null)[] {
  const { gatewayAgeS: oldAfterS, lineAgeS } = tolerances
  return [
    judgeFact<number>(
      {
        fact: 'signal',
        unit: 'dBm',
        device: device.signalDbm,
        gateway: gateway.signalDbm,
        oldAfterS,
        contradictsForS: lineAgeS,
        apart: { most: 'signalDb', of: between },
        say: (dBm) => amountText(dBm, 'dBm')
      },
      tolerances
    ),
    judgeFact<string>(
      { fact: 'operator', unit: null, device: device.operator, gateway: 'notExposed', oldAfterS: null, say: asWritten },
      tolerances
    ),
    judgeFact<string>(
      {
        fact: 'sim',
        unit: null,
        device: device.simId,
        gateway: gateway.simId,
        oldAfterS: null,
        isSame: sameSim,
        say: (id, who) =>
          who === 'gateway' && gateway.isSimOnlyKnown
            ? message('facts.simKnown')
            : message('facts.lastDigits', { digits: lastDigits(id, 4) })
      },
      tolerances
    ),
    judgeFact<string>(
      { fact: 'address', unit: null, device: device.address, gateway: 'notExposed', oldAfterS: null, say: asWritten },
      tolerances
    ),
    judgeFact<string>(
      { fact: 'apn', unit: null, device: device.apn, gateway: 'notExposed', oldAfterS: null, say: asWritten },
      tolerances
    ),
    // Both compared with the clock of this computer.
    judgeFact<number>(
      {
        fact: 'clock',
        unit: 's',
        device: device.clockOffS,
        gateway: gateway.clockOffS,
        oldAfterS: null,
        apart: { most: 'clockS', of: between },
        say: (offS) =>
          Math.abs(offS) < 1
            ? message('facts.onTime')
            : message('facts.offBy', { apartS: Math.round(Math.abs(offS)), way: offS > 0 ? 'ahead' : 'behind' })
      },
      tolerances
    )
  ]
}
