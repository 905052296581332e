import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import type { Connections } from './connections.ts'
import { readNetworkUse } from './networkUse.ts'
import { tryConnection } from './trial.ts'

interface InternetHandlerParts {
  connections: Connections
  events: Teller
}

export function createInternetHandlers({ connections, events }: InternetHandlerParts): HandlersOf<'internet'> {
  const { internet, gateway, discovery } = connections
  let latest = new AbortController()
  return {
    'internet.settings': () => internet.settings(),
    'internet.chooseProxy': async ({ proxy, user = '', password = '' }) => {
      await internet.chooseProxy(proxy, user === '' ? undefined : { user, password })
      return internet.settings()
    },
    'internet.chooseCard': ({ card }) => {
      internet.chooseCard(card)
      return internet.settings()
    },
    'internet.addAuthority': ({ pem }) => {
      internet.addAuthority(pem)
      return internet.settings()
    },
    'internet.removeAuthority': ({ fingerprint }) => {
      internet.removeAuthority(fingerprint)
      return internet.settings()
    },
    'internet.try': ({ url }, signal) => {
      latest.abort()
      latest = new AbortController()
      return tryConnection(
        { gateway, internet, url, onStep: (step) => events.tell('internet.step', step) },
        AbortSignal.any([signal, latest.signal])
      )
    },
    'internet.networks': () =>
      readNetworkUse({
        ways: internet.ways,
        devices: () => discovery.table().devices,
        interfaces: connections.interfaces
      })
  }
}
