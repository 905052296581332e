import type { WifiNetwork } from '../../../preload/contract/device/workspace.ts'

interface HeardNetwork {
  ssid?: string | undefined
  signal?: number | undefined
  auth?: string | undefined
}

/** Networks of a scan, strongest first: those of one name are one; all hidden ones are one line at the end. */
export function mergeNetworks(heard: readonly HeardNetwork[], saved: readonly string[]): WifiNetwork[] {
  const bySsid = new Map<string, WifiNetwork>()
  for (const { ssid, signal, auth } of heard) {
    // Hidden access points report an empty name, or a name of zero bytes.
    const name = (ssid ?? '').replace(/^\0+$/, '')
    const signalDbm = signal ?? null
    const present = bySsid.get(name)
    if (!present) {
      bySsid.set(name, { ssid: name, signalDbm, auth: auth ?? '', heard: 1, isSaved: saved.includes(name) })
      continue
    }
    present.heard += 1
    if (signalDbm !== null && signalDbm > (present.signalDbm ?? -Infinity)) {
      present.signalDbm = signalDbm
      present.auth = auth ?? present.auth
    }
  }
  return [...bySsid.values()].sort(
    (a, b) =>
      Number(a.ssid === '') - Number(b.ssid === '') ||
      (b.signalDbm ?? -Infinity) - (a.signalDbm ?? -Infinity) ||
      a.ssid.localeCompare(b.ssid)
  )
}
