import { expect, test } from 'vitest'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { sendJson, startScriptedServer } from '../../world/device/scriptedServer.ts'

/** A vehicle whose device never counted some of what the document lists: the gateway has no number, and says null. */
const answer = {
  vehicle: {
    plain: { dev_dist: 1_200, ecu_dist: null, ecu_tfuel: null, ecu_ifuel: null, dev_ign: 60 },
    calculated: null,
    counters: null
  },
  user: [{ id: null, counter: null, description: null, set_at: null, value: null, offset: null }]
}

test('counters that the gateway has no number for are not known, and nothing is called wrong', async () => {
  const server = await startScriptedServer((request, response) =>
    sendJson(
      response,
      request.path === '/api/login'
        ? { message: 'ok', app: 'fitter', auth: 'token' }
        : request.path.includes('/vehicles/2/')
          ? { vehicle: null, user: null }
          : answer
    )
  )
  const client = createGatewayClient({
    url: `http://${server.address}/api`,
    credentials: () => Promise.resolve({ user: 'someone@example.com', password: 'pass' })
  })
  try {
    const { value, problems } = await client.counters.ofVehicle({ vid: 1 })
    expect(problems).toEqual([])
    expect(value.vehicle?.plain).toEqual(answer.vehicle.plain)
    expect((await client.counters.ofVehicle({ vid: 2 })).problems).toEqual([])
  } finally {
    client.close()
    await server.stop()
  }
})
