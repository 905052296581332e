import { expect, it, onTestFinished } from 'vitest'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { createDiagnosisGateway } from '../../../main/gateway/client/diagnosisGateway.ts'
import { sendJson, startScriptedServer } from '../../world/device/scriptedServer.ts'

const firstS = Math.floor(Date.now() / 1000) - 80_000

/** A gateway with the events of a day in which the line is on, and with one that ends the rest, if there is one. */
it.each<[string, object[], object[], number | null, names?: object]>([
  ['on in each event', [{ event_epoch: firstS, io_ign: true, speed: 0 }], [], firstS * 1000],
  [
    'off in one, or in motion',
    [{ event_epoch: firstS, io_ign: true, speed: 0 }],
    [{ event_epoch: firstS + 600, io_ign: false, speed: 0 }],
    null
  ],
  ['never on', [], [], null],
  ['not told in events', [], [], null, { speed: { type: 'number' } }]
])('an ignition that is %s', async (_name, on, others, since, names = { io_ign: { type: 'boolean' } }) => {
  const filters: string[] = []
  const server = await startScriptedServer(({ path }, response) => {
    if (path === '/api/login') return sendJson(response, { message: 'ok', app: null, auth: 'the-token' })
    const filter = new URL(path, 'http://here').searchParams.get('filter')
    if (filter === null) return sendJson(response, { keys: names })
    filters.push(filter)
    sendJson(response, { units: { speed: 'meter/second' }, events: filter === 'io_ign' ? on : others })
  })
  onTestFinished(() => server.stop())
  const client = createGatewayClient({
    url: `http://${server.address}/api`,
    credentials: () => Promise.resolve({ user: 'fitter@example.com', password: 'right-one' })
  })
  onTestFinished(() => client.close())
  expect(
    await createDiagnosisGateway(() => Promise.resolve(client)).readRestingOn(7, new AbortController().signal)
  ).toBe(since)
  // Only documented operators; a boolean field stands bare.
  const first = 'io_ign' in names ? ['io_ign'] : []
  expect(filters).toEqual(on.length === 0 ? first : [...first, '(not io_ign and type < 100) or speed > 1.4'])
})
