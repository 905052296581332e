import type { DeviceAnswer } from './probe.ts'
import { isLinkLocal6, isSameHost, splitRenamed, type DeviceEntry } from './sighting.ts'

/** Two answers of one device agree within this: it tells whole seconds, and answers after up to 2 s. */
const toleranceMs = 3500

type Comparison = { kind: 'one' | 'unknown' } | { kind: 'two'; addresses: string[] }

/**
 * Addresses that mDNS cannot attribute to one computer: one of each network or name, and all that compete. Fewer than
 * two need no comparison.
 */
export function doubtfulAddresses(entry: DeviceEntry): string[] {
  const { own, rivals } = splitRenamed(entry)
  const heard = [...own, ...rivals].flatMap(({ addresses, competing = [] }) => {
    if (competing.length > 0) return competing
    const best = addresses
      .filter((item) => !item.isLeaving)
      .sort((a, b) => Number(isLinkLocal6(a.address)) - Number(isLinkLocal6(b.address)))[0]
    return best ? [best.address] : []
  })
  return [...new Set(heard)].sort()
}

/**
 * Whether one device answers at all doubtful addresses. Each device tells when it started and the address of its link:
 * two devices that started at different moments are two, and an address that a device names itself is its own. Devices
 * that tell nothing before a sign-in remain unknown.
 */
export function compareAddresses(entry: DeviceEntry): Comparison {
  const addresses = doubtfulAddresses(entry)
  if (addresses.length < 2) return { kind: 'unknown' }
  const answers = addresses.flatMap((address) => {
    const result = entry.compared.get(address)
    return result?.kind === 'device' ? [{ address, ...result }] : []
  })
  const first = answers[0]
  if (!first) return { kind: 'unknown' }
  const others = answers.filter((one) => isSameHost(one.hostname, first.hostname) && startedApart(one, first))
  if (others.length > 0) return { kind: 'two', addresses: [first, ...others].map(({ address }) => address).sort() }
  const { linkAddress } = answers.find((one) => one.linkAddress !== undefined) ?? {}
  const isOwn = (address: string): boolean => {
    const answer = answers.find((one) => one.address === address)
    if (!answer) return address === linkAddress
    return (
      answer.linkAddress === linkAddress &&
      answer.upSinceMs !== undefined &&
      isSameHost(answer.hostname, first.hostname)
    )
  }
  return { kind: linkAddress !== undefined && addresses.every(isOwn) ? 'one' : 'unknown' }
}

function startedApart(one: DeviceAnswer, other: DeviceAnswer): boolean {
  return (
    one.upSinceMs !== undefined &&
    other.upSinceMs !== undefined &&
    Math.abs(one.upSinceMs - other.upSinceMs) > toleranceMs
  )
}
