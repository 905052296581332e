import { networkInterfaces } from 'node:os'
import { createCore, sourceResourcesFolder } from '../../../main/app/core.ts'
import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import { startGateway } from '../../../simulator/gateway/gateway.ts'

/**
 * One program of the proof of networks, inside of its own network namespace. `gateway HOST`: a simulated gateway; its
 * first line is its address and its credentials. `fitter URL USER PASSWORD FOLDER`: a core that asks it; each line is
 * the gateway's state.
 */
const [role, first = '', user = '', password = '', dataFolder = ''] = process.argv.slice(2)
const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

if (role === 'gateway') {
  const gateway = await startGateway({
    host: first,
    devices: [{ imei: '356938035643809', model: 'ft4', iccid: '8934071100276980483', lat: 40.4, lon: -3.7 }]
  })
  say({ url: gateway.url, user: gateway.user, password: gateway.password })
} else {
  const core = createCore({
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    gatewayUrl: first,
    given: { gateway: { user, password } },
    inMemorySecrets: true,
    interfaces: networkInterfaces,
    background: true,
    reportFault: (error) => {
      throw error
    }
  })
  core.events.onEvent((name, payload) => {
    if (name !== 'gateway.changed') return
    const { state, way, hindrance } = payload as GatewayStatus
    say({ state, way, hindrance, atMs: Date.now() })
  })
  const client = await core.connections.gateway.client()
  const started = performance.now()
  const outcome = await client.user.own().then(
    () => 'ok',
    (error: { sentence?: { id: string } }) => error.sentence?.id ?? 'fault'
  )
  say({ outcome, tookMs: Math.round(performance.now() - started), way: (await core.connections.gateway.status()).way })
}
