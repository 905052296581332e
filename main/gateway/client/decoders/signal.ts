/** `cf_rssi` (GSM rssi 0..31) in dBm: -113 + 2n. Null for 99 (unknown) and anything else. */
export function rssiToDbm(rssi: number | null | undefined): number | null {
  return typeof rssi === 'number' && Number.isInteger(rssi) && rssi >= 0 && rssi <= 31 ? -113 + 2 * rssi : null
}
