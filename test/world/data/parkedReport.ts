import type { DeviceReport } from '../../../simulator/report.ts'

export type ReportChange = Partial<Omit<DeviceReport, 'io'>> & { io?: Partial<DeviceReport['io']> }

/** The device of the tests of the gateway, in Madrid. */
export const imei = '356938035643809'
export const iccid = '89340711002769804831'

const io: DeviceReport['io'] = {
  ign: false,
  pwr: true,
  in1: false,
  in2: false,
  in3: false,
  in4: false,
  in5: false,
  in6: false,
  in7: false,
  out1: false,
  out2: false,
  out3: false,
  out4: false,
  out1Short: false,
  out2Short: false,
  out3Short: false,
  out4Short: false
}

/** Makes the reports of a device in a parked vehicle, one after the other; what is given differs. */
export function reportParked(): (change?: ReportChange) => DeviceReport {
  let sequence = 0
  return (change = {}) => ({
    imei,
    deviceTimeMs: Date.now(),
    sequence: ++sequence,
    type: 10,
    code: 1,
    label: 'prdtst',
    lat: 40.4,
    lon: -3.7,
    validPosition: true,
    speedKmh: 0,
    headDeg: 0,
    hdop: 0.9,
    vdop: 1.2,
    sv: 11,
    csq: 22,
    iccid,
    supplyMv: 12_600,
    engineOn: false,
    rpm: 0,
    distanceM: 1_000,
    ignitionS: 10,
    idleS: 240,
    ecu: { detected: true, parameters: ['ECU_RPM'] },
    ...change,
    io: { ...io, ...change.io }
  })
}
