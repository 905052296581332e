import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createCore, sourceResourcesFolder } from '../../../main/app/core.ts'
import { ibuttonKey, ibuttonsCreateKind, ibuttonTitle } from '../../../main/gateway/waitingWork/kinds/ibuttonsCreate.ts'
import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { startGateway } from '../../../simulator/gateway/gateway.ts'
import { sendJson, startScriptedServer } from '../../world/device/scriptedServer.ts'
import { tempFolder } from '../../world/tempFolder.ts'

test(
  'work that waits for a gateway out of reach goes on by itself when its way opens, and every window hears of it',
  { timeout: 180_000 },
  async () => {
    // The gateway's clock is two hours ahead.
    const gateway = await startGateway({
      devices: [{ imei: '356938035643809', model: 'ft4', iccid: '8934071100276980483', lat: 40.4, lon: -3.7 }],
      now: () => Date.now() + 7_200_000
    })
    const way = createServer((socket) => {
      const onward = connect(Number(new URL(gateway.url).port), '127.0.0.1')
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
      socket.on('close', () => onward.destroy())
      socket.pipe(onward).pipe(socket)
    })
    // Below the ports that systems give away: nobody takes it before the way opens.
    const port = 20_000 + (process.pid % 10_000)
    const faults: unknown[] = []
    const core = createCore({
      dataFolder: tempFolder(),
      resourcesFolder: sourceResourcesFolder,
      gatewayUrl: `http://127.0.0.1:${port}/api`,
      given: { gateway: { user: gateway.user, password: gateway.password } },
      inMemorySecrets: true,
      interfaces: () => ({}),
      background: true,
      reportFault: (error) => void faults.push(error)
    })
    onTestFinished(async () => {
      await core.stop()
      way.close()
      await gateway.stop()
    })
    const states: GatewayStatus['state'][] = []
    const notices: string[] = []
    core.events.onEvent((name, payload) => {
      if (name === 'gateway.changed') states.push((payload as GatewayStatus).state)
      if (name === 'app.notices')
        notices.push(...(payload as { notices: { id: string }[] }).notices.map(({ id }) => id))
    })
    const [asset] = gateway.state.assets
    if (!asset) throw new Error('The simulated gateway has no assets')
    const payload = { id: '0123456789ABCDEF', assetId: asset.id, assetName: asset.name }
    const { id } = core.operations.add({
      kind: ibuttonsCreateKind,
      key: ibuttonKey(payload.id),
      title: ibuttonTitle(payload),
      payload,
      jobId: null,
      draft: false
    })
    core.sendSoon()
    await expect.poll(() => states.at(-1), { timeout: 45_000 }).toBe('unreachable')
    expect(core.operations.get(id)?.state).toBe('pending')
    // The computer is woken on the way: that changes nothing while the gateway is away.
    core.powerResumed()
    await new Promise<void>((resolve) => way.listen(port, '127.0.0.1', resolve))
    await expect.poll(() => core.operations.get(id)?.state, { timeout: 45_000 }).toBe('done')
    await expect.poll(() => states.at(-1), { timeout: 45_000 }).toBe('reachable')
    expect(gateway.state.ibuttons.filter((one) => one.id === payload.id)).toHaveLength(1)
    // And now it is known that one of the two clocks is wrong.
    await expect.poll(() => notices, { timeout: 45_000 }).toContain('clock')
    expect((await core.notices()).find((notice) => notice.id === 'clock')).toMatchObject({
      text: { id: 'connections.clockBehind', values: { differenceS: expect.closeTo(7_200, -1) as number } },
      remedy: { id: 'connections.setClock' }
    })
    expect(faults).toEqual([])
  }
)

test('a read that waits on a connection of the old network is asked once more on the new one', async () => {
  let isSilent = true
  const server = await startScriptedServer(({ path }, response) => {
    if (path === '/api/login') sendJson(response, { message: 'ok', app: null, auth: 'the-token' })
    else if (!isSilent) sendJson(response, { username: 'someone' })
  })
  const client = createGatewayClient({
    url: `http://${server.address}/api`,
    credentials: () => Promise.resolve({ user: 'someone', password: 'secret-word' })
  })
  onTestFinished(async () => {
    client.close()
    await server.stop()
  })
  const reading = client.user.own()
  await expect.poll(() => server.received.length).toBe(2)
  isSilent = false
  client.renew(0)
  expect((await reading).value.username).toBe('someone')
  expect(server.received.map(({ path }) => path)).toEqual(['/api/login', '/api/user', '/api/user'])
})
