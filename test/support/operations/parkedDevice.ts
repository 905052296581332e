import type { SimulatedGateway } from '../../../simulator/gateway/types.ts'
import type { DeviceReport } from '../../../simulator/report.ts'

export const imei = '356938035643809'
export const iccid = '89340711002769804831'

const io = {
  ign: false, pwr: true, in1: false, in2: false, in3: false, in4: false, in5: false, in6: false, in7: false,
  out1: false, out2: false, out3: false, out4: false, out1Short: false, out2Short: false, out3Short: false, out4Short: false
}

/** A device that reports on request; between two reports the vehicle may have driven. */
export function createReporter(gateway: SimulatedGateway, now: () => number) {
  let sequence = 0
  let distanceM = 1_000
  return {
    report(more: { drivenM?: number; accessories?: DeviceReport['accessories'] } = {}): void {
      sequence += 1
      distanceM += more.drivenM ?? 0
      gateway.receive({
        imei, deviceTimeMs: now(), sequence, type: 10, code: 1, label: 'prdtst', lat: 40.4, lon: -3.7, validPosition: true, speedKmh: 0, headDeg: 0, hdop: 0.9, vdop: 1.2, sv: 11, csq: 22,
        io, iccid, supplyMv: 12_600, engineOn: false, rpm: 0, distanceM, ignitionS: 10, idleS: 240, ecu: { detected: true, parameters: ['ECU_RPM'] },
        ...(more.accessories ? { accessories: more.accessories } : {})
      })
    },
    drivenM: () => distanceM - 1_000
  }
}
