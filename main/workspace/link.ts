import { isIP } from 'node:net'
import type { DeviceChange, LinkOver } from '../../preload/contract/workspace.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { CallOptions, OpenedDevice } from './ports.ts'

export interface Link {
  address: string
  over: LinkOver
  detail: string
}

/**
 * Which interface of the device we are talking to, from the address that we use and the addresses that the device says it
 * has. The document names no address of the hotspot: what is neither Ethernet nor Wi-Fi is the hotspot while that is on.
 */
export async function findLink({ address, device }: Pick<OpenedDevice, 'address' | 'device'>, options: CallOptions): Promise<Link> {
  const [ethernet, wifi, hotspot] = await Promise.all([
    value(device.eth.state(options)),
    value(device.wifi.state(options)),
    value(device.hotspot.state(options))
  ])
  const host = hostOf(address)
  const told = (over: LinkOver, detail: string): Link => ({ address, over, detail })
  if (host !== '' && host === ethernet?.ip) return told('ethernet', `This computer reaches the device at ${host}, its Ethernet port.`)
  if (host !== '' && host === wifi?.ip) {
    return told('wifi', `This computer reaches the device at ${host}, its Wi-Fi address${wifi.ssid ? ` in the network "${wifi.ssid}"` : ''}.`)
  }
  const isKnownElsewhere = ethernet !== undefined && wifi !== undefined
  if (isKnownElsewhere && isIP(host) !== 0 && hotspot?.state === 'Enabled') {
    return told('hotspot', `${host} is neither the Ethernet nor the Wi-Fi address of the device, so it is taken for its hotspot.`)
  }
  return told('unknown', `Which interface of the device ${host || address} belongs to cannot be told.`)
}

/** An unreadable interface is only an interface less to compare with. */
async function value<T>(reading: Promise<{ value: T }>): Promise<T | undefined> {
  try {
    return (await reading).value
  } catch (error) {
    if (error instanceof AppError && error.code !== 'CANCELLED') return undefined
    throw error
  }
}

function hostOf(address: string): string {
  return address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '').split('%')[0] ?? ''
}

/** What would happen to our own link, and the way back; undefined when the change leaves it alone. */
export function cutsLink(change: DeviceChange, link: Link): { detail: string; wayBack: string } | undefined {
  const isPossible = (over: LinkOver) => link.over === over || link.over === 'unknown'
  const likely = link.over === 'unknown' ? 'may cut' : 'cuts'
  switch (change.operation) {
    case 'wifi.stop':
    case 'wifi.reset':
      if (!isPossible('wifi')) return undefined
      return {
        detail: `This ${likely} the connection that you are using now: ${link.detail}`,
        wayBack:
          change.operation === 'wifi.reset'
            ? 'The device joins its saved network again by itself. Wait a minute; if it does not come back, use its hotspot or a cable.'
            : 'Only over its hotspot or a cable can its Wi-Fi be started again. Have one of the two ready before you go on.'
      }
    case 'wifi.add':
    case 'wifi.remove':
    case 'wifi.start':
      if (link.over !== 'wifi') return undefined
      return {
        detail: `The device may change the network that you are using now: ${link.detail}`,
        wayBack: 'Join the network that the device is in then, and search for it again; or use its hotspot or a cable.'
      }
    case 'hotspot.stop':
    case 'hotspot.edit':
      if (!isPossible('hotspot')) return undefined
      return {
        detail: `This ${likely} the connection that you are using now: ${link.detail}`,
        wayBack:
          change.operation === 'hotspot.edit'
            ? 'Join the hotspot again under its new name, with its new password, and search for the device.'
            : 'Only over its Wi-Fi network or a cable can the hotspot be started again. Have one of the two ready before you go on.'
      }
    default:
      return undefined
  }
}
