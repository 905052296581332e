import { networkInterfaces } from 'node:os'
import { createTrust } from './authorities.ts'
import { createProxies } from './proxies.ts'
import { createWays, type Ways } from './ways.ts'

/** As the environment of this process says, for whoever has no settings. */
export function createOwnWays(): Ways {
  return createWays({ proxies: createProxies({ choice: () => ({ kind: 'system' }) }), trust: createTrust(() => []), interfaces: networkInterfaces })
}
