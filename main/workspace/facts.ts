import type { GpsPosition, ModemInformation, Sparse } from '../../preload/contract/device/deviceAreas.ts'
import type { LiveFacts, LiveOperation, LiveReading } from '../../preload/contract/device/workspace.ts'
import { judgeReadings } from '../diagnosis/chain.ts'
import type { DiagnosisLimits } from '../diagnosis/limits.ts'
import { correctGpsEpoch, hasIp, readRegistration, readSignal } from '../device/facts.ts'

/** The meaning of the answers where the document is ambiguous; an assumed unit or epoch is stated. */
export function readFacts(
  readings: Partial<Record<LiveOperation, LiveReading>>,
  nowMs: number,
  limits: DiagnosisLimits
): LiveFacts {
  const facts: LiveFacts = { links: judgeReadings(readings, limits, nowMs) }
  const position = readings['gps.position']?.value as Sparse<GpsPosition> | null | undefined
  if (position?.timestamp !== undefined) {
    const { unixMs, assumed } = correctGpsEpoch(position.timestamp, nowMs)
    facts.clock = { differenceS: Math.round((unixMs - nowMs) / 100) / 10, assumed }
  }
  const modem = readings['modem.information']?.value as Sparse<ModemInformation> | null | undefined
  if (modem) {
    facts.modem = {
      signal: readSignal(modem.RSSI) ?? null,
      registration: readRegistration(modem.GSM_REG, modem.GPRS_REG),
      hasIp: hasIp(modem.IP)
    }
  }
  return facts
}
