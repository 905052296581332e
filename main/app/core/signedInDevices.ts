import type { Connections } from '../../gateway/accounts/connections.ts'

/**
 * A device that Fitter may ask automatically: it is found, it has confirmed its identity, and someone is signed in to
 * it.
 */
export function reachSignedIn(connections: Connections, imei: string) {
  const seen = connections.discovery.table().devices.find((device) => device.imei === imei && device.signedIn)
  const isDoubtful = seen?.standing === 'impostor' || seen?.standing === 'conflict' || seen?.standing === 'wrongService'
  const address = seen && !isDoubtful ? connections.addressOf(seen) : undefined
  return address === undefined ? undefined : connections.devices.open(address, imei)
}

/**
 * Addresses of the device: from the list, then from its last job. Only the first one is used, and gets the password.
 */
export async function connectOfJob(
  connections: Connections,
  device: { imei: string; address: string },
  signal: AbortSignal
) {
  const seen = connections.discovery.table().devices.find((candidate) => candidate.imei === device.imei)
  const addresses = [...new Set([seen && connections.addressOf(seen), device.address])].filter(
    (address) => address !== undefined
  )
  if (addresses[0] !== undefined) connections.devices.pick(addresses[0], device.imei)
  let failure: unknown
  for (const address of addresses) {
    try {
      const client = await connections.devices.openVerified(address, device.imei, signal)
      return { device: client, address, close: () => undefined }
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}
