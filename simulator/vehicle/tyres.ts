export interface Tyre {
  /** 0..255: axle in the high four bits from the front, position in the low four from the left. */
  location: number
  psi: number
  celsius: number
  /** 10 digits. */
  sensor: string
  alarm?: 0 | 1 | 2 | 3 | 4 | 5 | 8
  isDefective?: boolean
  loose?: 0 | 1 | 2 | 3
  isBatteryLow?: boolean
}

export const truckTyres: readonly Tyre[] = [
  { location: 0, psi: 105, celsius: 31, sensor: '0000184512' },
  { location: 1, psi: 104, celsius: 30, sensor: '0000184513' },
  { location: 16, psi: 98, celsius: 33, sensor: '0000184520' },
  { location: 17, psi: 97, celsius: 41, sensor: '0000184521' },
  { location: 18, psi: 99, celsius: 32, sensor: '0000184522' },
  { location: 19, psi: 101, celsius: 31, sensor: '0000184523' }
]

/** The four fields of the tyre monitor; none without a module. */
export function tyreFields(tyres: readonly Tyre[]): Record<string, string> {
  if (tyres.length === 0) return {}
  const axles = new Set(tyres.map(({ location }) => location >> 4)).size
  const entries = (write: (tyre: Tyre) => string): string =>
    tyres.map((tyre) => three(tyre.location) + write(tyre)).join(',')
  return {
    ecu_tires_psi: entries(({ psi }) => three(psi)),
    ecu_tires_tmp: entries(({ celsius }) => String(celsius)),
    ecu_tpms_warnings: entries(
      ({ alarm = 0, isDefective = false, loose = 0, isBatteryLow = false }) =>
        `${alarm}${Number(isDefective)}${loose}${Number(isBatteryLow)}`
    ),
    ecu_tpms_provision: [`00${two(axles)}${two(tyres.length)}`, entries(({ sensor }) => sensor)].join(',')
  }
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function three(value: number): string {
  return String(value).padStart(3, '0')
}
