import type { GpsPosition, ModemInformation, Sparse, WifiState } from '../../../preload/contract/device/deviceAreas.ts'
import type { LiveFacts, LiveOperation, LiveReading } from '../../../preload/contract/device/workspace.ts'
import { judgeReadings } from '../diagnosis/chain.ts'
import type { DiagnosisLimits } from '../diagnosis/limits.ts'
import { correctGpsEpoch } from '../../device/client/facts.ts'
import { judgeMobileNetwork } from '../../device/client/radio/mobileNetwork.ts'
import { isJoined } from '../../device/client/radio/radioState.ts'

/** The meaning of the answers where the document is ambiguous; an assumed unit or epoch is stated. */
export function readFacts(
  readings: Partial<Record<LiveOperation, LiveReading>>,
  nowMs: number,
  limits: DiagnosisLimits
): LiveFacts {
  const judged = Object.entries(judgeReadings(readings, limits, nowMs))
  const facts: LiveFacts = {
    links: Object.fromEntries(judged.map(([link, { state }]) => [link, state])),
    linkTexts: Object.fromEntries(
      judged.map(([link, { sentence, short, remedy }]) => [link, { sentence, short, remedy }])
    )
  }
  const position = readings['gps.position']?.value as Sparse<GpsPosition> | null | undefined
  if (position?.timestamp !== undefined) {
    const { unixMs, assumed, isUnsure } = correctGpsEpoch(position.timestamp, nowMs)
    if (!isUnsure) facts.clock = { differenceS: Math.round((unixMs - nowMs) / 100) / 10, assumed }
  }
  const modem = readings['modem.information']?.value as Sparse<ModemInformation> | null | undefined
  if (modem) {
    const { card, registered, hasAddress, signal } = judgeMobileNetwork(modem)
    facts.modem = {
      signal: signal.kind === 'read' ? signal.reading : null,
      signalNotKnown: signal.kind === 'notKnown' ? signal.sentence : null,
      registration: registered,
      hasIp: hasAddress,
      simInUse: card.kind
    }
  }
  const wifi = readings['wifi.state']?.value as Sparse<WifiState> | null | undefined
  if (wifi) {
    const signal = Number(wifi.signal === '' ? Number.NaN : (wifi.signal ?? Number.NaN))
    facts.wifi = {
      inUse:
        isJoined(wifi) && wifi.ssid
          ? { ssid: wifi.ssid, signalDbm: Number.isFinite(signal) ? signal : null, auth: wifi.key_mgmt ?? '' }
          : null
    }
  }
  return facts
}
