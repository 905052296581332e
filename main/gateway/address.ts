import { AppError } from '../../preload/contract/errors.ts'
import { isLocalIp, isLoopback } from '../addresses/address.ts'
import { refuse } from './refuse.ts'

/**
 * Checks the base address of a gateway site: https (http only for this computer itself, for an address of a local network, and when allowed), no user
 * name, password or query in it. Gives it back without a trailing slash.
 */
export function checkBaseAddress(text: string, options: { allowInsecure: boolean; ending: '/api' | '' }): string {
  let url: URL
  try {
    url = new URL(text.trim())
  } catch (cause) {
    throw new AppError('INVALID_REQUEST', 'The gateway address is not a web address. Give it as https://site/api.', { cause })
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refuse('The gateway address must begin with https://.')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw refuse('The gateway address must be without user name, password, "?" and "#". Give it as https://site/api.')
  }
  if (url.protocol === 'http:' && !isNear(url) && !options.allowInsecure) {
    throw refuse('The gateway address must begin with https://: without it, the password could be read on the network.')
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith(options.ending)) throw refuse('The gateway address must end in /api. Give it as https://site/api.')
  return url.origin + path
}

/** This computer, or an address that is not routed on the internet: a gateway in the own house, of which is warned. */
function isNear(url: URL): boolean {
  return isLoopback(hostOf(url)) || isLocalIp(hostOf(url))
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** What a person has to be told about a gateway address that is asked without encryption; undefined when all is well. */
export function describeInsecurity(address: string): string | undefined {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' || isLoopback(hostOf(url))) return undefined
  return 'The gateway is asked without encryption: whoever is on the network can read the password. Use https:// where the gateway offers it.'
}
