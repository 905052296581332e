import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { removeHiddenMarks } from '../../../../preload/base/messages/hiddenMarks.ts'
import { hostOf, isLocalIp, isLoopback } from '../../../base/addresses/address.ts'
import { refuseRequest } from './refuse.ts'

/**
 * Checks a gateway's base address: https, or http in the own network; no user name, password or query. Without a path,
 * a host `api.SITE` has the API at its root, every other host below `/api` (resources/forms.json, "address").
 */
export function checkBaseAddress(text: string, ending: '/api' | ''): string {
  let url: URL
  try {
    url = new URL(removeHiddenMarks(text).trim())
  } catch (cause) {
    throw new AppError('INVALID_REQUEST', message('gateway.noWebAddress'), { cause })
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refuseRequest(message('gateway.needsHttps'))
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw refuseRequest(message('gateway.bareAddress'))
  }
  if (url.protocol === 'http:' && !isNear(url)) {
    throw refuseRequest(message('gateway.needsEncryption'))
  }
  const path = url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  if (path === '' && ending !== '') return url.origin + (url.hostname.startsWith('api.') ? '' : ending)
  if (!path.endsWith(ending)) throw refuseRequest(message('gateway.needsApi'))
  return url.origin + path
}

/** This computer, or an address that is not routed on the internet: a gateway in the own building, with a warning. */
function isNear(url: URL): boolean {
  return isLoopback(hostOf(url)) || isLocalIp(hostOf(url))
}

/** Whether a gateway address is used without encryption: a person must know. */
export function isInsecure(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'http:' && !isLoopback(hostOf(url))
}
