import { AppError } from '../../preload/contract/errors.ts'
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
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !isLocalNetwork(url.hostname) && !options.allowInsecure) {
    throw refuse('The gateway address must begin with https://: without it, the password could be read on the network.')
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith(options.ending)) throw refuse('The gateway address must end in /api. Give it as https://site/api.')
  return url.origin + path
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** An address that is not routed on the internet: a gateway in the own house. Who uses one over http is warned. */
function isLocalNetwork(hostname: string): boolean {
  return /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)[\d.]+$/.test(hostname) || /^\[f([cd]|e[89ab])[\da-f]{0,2}:/i.test(hostname)
}

/** What a person has to be told about a gateway address that is asked without encryption; undefined when all is well. */
export function describeInsecurity(address: string): string | undefined {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' || isLoopback(url.hostname)) return undefined
  return 'The gateway is asked without encryption: whoever is on the network can read the password. Use https:// where the gateway offers it.'
}
