import type { WifiNetwork } from '../../../../preload/contract/device/workspace.ts'

export interface NetworkRow {
  /** Empty for the hidden networks, which are one row. */
  ssid: string
  signalDbm: number | null
  auth: string
  /** How many access points have this name; 0 for one that was not heard. */
  heard: number
  isSaved: boolean
  /** `saved`: whether it is in range is not known before a scan. */
  state: 'inUse' | 'savedInRange' | 'saved' | 'notInRange' | 'inRange'
}

interface Known {
  /** What a scan heard; null before the first one. */
  found: readonly WifiNetwork[] | null
  saved: readonly string[]
  /** The network that the device is connected to. */
  inUse: { ssid: string; signalDbm: number | null; auth: string } | null
}

/**
 * Networks in one list: the one in use, those in range in the order of the scan, saved ones that were not heard, hidden
 * ones.
 */
export function networkRows({ found, saved, inUse }: Known): NetworkRow[] {
  const heard = (found ?? []).map(({ ssid, signalDbm, auth, heard: count }): NetworkRow => {
    const isSaved = ssid !== '' && saved.includes(ssid)
    return { ssid, signalDbm, auth, heard: count, isSaved, state: isSaved ? 'savedInRange' : 'inRange' }
  })
  const current = heard.find(({ ssid }) => ssid === inUse?.ssid)
  const used: NetworkRow[] = inUse
    ? [
        {
          ssid: inUse.ssid,
          signalDbm: inUse.signalDbm ?? current?.signalDbm ?? null,
          auth: inUse.auth || (current?.auth ?? ''),
          heard: current?.heard ?? 0,
          isSaved: saved.includes(inUse.ssid),
          state: 'inUse'
        }
      ]
    : []
  const rest = heard.filter((row) => row !== current)
  const silent = saved
    .filter((ssid) => ssid !== inUse?.ssid && !heard.some((row) => row.ssid === ssid))
    .map((ssid): NetworkRow => ({
      ssid,
      signalDbm: null,
      auth: '',
      heard: 0,
      isSaved: true,
      state: found === null ? 'saved' : 'notInRange'
    }))
  return [...used, ...rest.filter(({ ssid }) => ssid !== ''), ...silent, ...rest.filter(({ ssid }) => ssid === '')]
}
