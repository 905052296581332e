import type { OutputsPort } from '../../gateway/accounts/outputsPort.ts'
import type { Outputs } from '../../job/outputs/outputs.ts'

/** What connections ask of the outputs, which are built after them. */
export function outputsPort(outputs: () => Pick<Outputs, 'leave' | 'ledger' | 'assertLinkMayEnd'>): OutputsPort {
  const imeisOf = (isMeant: (path: string) => boolean) => [
    ...new Set(
      outputs()
        .ledger()
        .filter(({ path }) => isMeant(path))
        .map(({ imei }) => imei)
    )
  ]
  return {
    leave: (which) => outputs().leave(which),
    assertLinkMayEnd(imei) {
      for (const one of imei === null ? imeisOf(() => true) : [imei]) outputs().assertLinkMayEnd(one)
    },
    devices: () => imeisOf((path) => path === 'local')
  }
}
