import { isIP } from 'node:net'
import { linkOperation, type DeviceChange, type LinkOver } from '../../../preload/contract/device/workspace.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { CallOptions } from '../../device/client/wire.ts'
import type { OpenedDevice } from './ports.ts'

export type Link = Omit<CallOutput<'workspace.link'>, 'effects'>

/**
 * The device interface that this computer uses. The hotspot's address is not documented: neither Ethernet nor Wi-Fi
 * while it is on.
 */
export async function findLink(
  { address, device }: Pick<OpenedDevice, 'address' | 'device'>,
  options: CallOptions
): Promise<Link> {
  const [ethernet, wifi, hotspot] = await Promise.all([
    value(device.eth.state(options)),
    value(device.wifi.state(options)),
    value(device.hotspot.state(options))
  ])
  const host = hostOf(address)
  const told = (over: LinkOver, detail: Message): Link => ({ address, over, detail })
  if (host !== '' && host === ethernet?.ip) return told('ethernet', message('workspace.viaEthernet', { host }))
  if (host !== '' && host === wifi?.ip) {
    return told(
      'wifi',
      wifi.ssid ? message('workspace.viaWifiNamed', { host, ssid: wifi.ssid }) : message('workspace.viaWifi', { host })
    )
  }
  const isKnownElsewhere = ethernet !== undefined && wifi !== undefined
  if (isKnownElsewhere && isIP(host) !== 0 && hotspot?.state === 'Enabled') {
    return told('hotspot', message('workspace.viaHotspot', { host }))
  }
  return told('unknown', message('workspace.viaUnknown', { host: host || address }))
}

/** An unreadable interface only means one interface fewer to compare with. */
async function value<T>(reading: Promise<{ value: T }>): Promise<T | undefined> {
  try {
    return (await reading).value
  } catch (error) {
    if (error instanceof AppError && error.code !== 'CANCELLED') return undefined
    throw error
  }
}

function hostOf(address: string): string {
  return (
    address
      .replace(/:\d+$/, '')
      .replace(/^\[|\]$/g, '')
      .split('%')[0] ?? ''
  )
}

/** The effect on this computer's own link, and how to restore it; undefined if the change does not affect the link. */
export function cutsLink(
  change: DeviceChange | { operation: (typeof linkOperation.options)[number] },
  link: Link
): { detail: Message; wayBack: Message } | undefined {
  const isPossible = (over: LinkOver) => link.over === over || link.over === 'unknown'
  const cut = message(link.over === 'unknown' ? 'workspace.mayCut' : 'workspace.cuts', { link: link.detail })
  switch (change.operation) {
    case 'wifi.stop':
    case 'wifi.reset':
    // The device cannot be in a network and make one: its Wi-Fi leaves.
    case 'hotspot.start':
      if (!isPossible('wifi')) return undefined
      return {
        detail: cut,
        wayBack:
          change.operation === 'wifi.reset'
            ? message('workspace.backByItself')
            : message(change.operation === 'hotspot.start' ? 'workspace.backJoinHotspot' : 'workspace.backWifi')
      }
    case 'wifi.add':
    case 'wifi.remove':
    case 'wifi.start':
      if (link.over !== 'wifi') return undefined
      return {
        detail: message('workspace.mayChangeNetwork', { link: link.detail }),
        wayBack: message('workspace.backNetwork')
      }
    case 'hotspot.stop':
    case 'hotspot.edit':
      if (!isPossible('hotspot')) return undefined
      return {
        detail: cut,
        wayBack:
          change.operation === 'hotspot.edit' ? message('workspace.backHotspotNamed') : message('workspace.backHotspot')
      }
    default:
      return undefined
  }
}

/** How to reconnect after each change that affects this link. */
export function linkEffects(link: Link): NonNullable<CallOutput<'workspace.link'>['effects']> {
  return Object.fromEntries(
    linkOperation.options.flatMap((operation) => {
      const cut = cutsLink({ operation }, link)
      return cut ? [[operation, cut.wayBack]] : []
    })
  )
}
