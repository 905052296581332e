import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { parseDeviceName } from '../../../preload/contract/base/imei.ts'
import { whyPlaceholder } from '../../base/reading/imeiSentence.ts'
import { sameHost } from '../../device/client/facts.ts'
import { demandDevice } from '../../device/client/identity.ts'
import type { Connections } from './connections.ts'

/** Signs in with the stored credentials of a selected device; `nothingKept` without any. */
export async function signInKept(connections: Connections, device: SeenDevice, signal: AbortSignal) {
  const kept = await connections.devices.kept(device.imei)
  if (!kept) return { kind: 'nothingKept' as const }
  return signIn(connections, device, kept, false, signal)
}

/** Signs in to a device that a person selected, verifies its identity, and stores the credentials. */
export async function signIn(
  connections: Connections,
  device: SeenDevice,
  credentials: { user: string; password: string },
  isShared: boolean,
  signal: AbortSignal
) {
  const { devices, discovery, secrets } = connections
  const address = connections.demandAddress(device)
  connections.redactor.add(credentials.password)
  const client = devices.openWith(address, credentials)
  try {
    const { value } = await client.auth.login(
      { username: credentials.user, password: credentials.password },
      { signal }
    )
    const system = await client.system.info({ signal })
    const { hostname, osVersion } = system.value
    const placeholder = whyPlaceholder(hostname)
    if (placeholder) return { kind: 'impostor' as const, detail: placeholder }
    const own = hostname === undefined ? undefined : parseDeviceName(hostname)
    if (device.imei === null && !own) {
      return {
        kind: 'impostor' as const,
        detail: hostname ? message('connections.noDeviceName', { hostname }) : message('connections.noName')
      }
    }
    if (device.imei !== null && !hostname) demandDevice(hostname, device.imei)
    if (device.imei !== null && !sameHost(hostname, device.imei)) {
      return {
        kind: 'impostor' as const,
        detail: message('connections.answersAs', { hostname: hostname ?? '', wanted: device.hostname ?? device.imei })
      }
    }
    const imei = device.imei ?? own?.imei ?? null
    await devices.assertReplaceable(address, imei, credentials, isShared)
    devices.pick(address, imei)
    await devices.keep(imei, credentials, isShared)
    if (hostname !== undefined) discovery.learn(device.key, { hostname, osVersion: osVersion ?? null })
    discovery.setSignedIn(device.key, true)
    return {
      kind: 'signedIn' as const,
      name: value.user?.name ?? null,
      kept: (await secrets.status()).kind === 'keychain'
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_AUTHENTICATED')
      return { kind: 'wrongPassword' as const, detail: error.sentence }
    throw error
  }
}
