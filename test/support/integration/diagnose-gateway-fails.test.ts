import { afterEach, beforeEach, expect, it } from 'vitest'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { answerOfFront } from '../../../simulator/gateway/fronts.ts'
import { startSimulation, type SimulatedDevice, type Simulation } from '../../../simulator/simulation.ts'
import { english } from '../../world/window/english.ts'
import { startFitter } from '../../world/window/fitterProcess.ts'
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from '../../world/device/scriptedServer.ts'
import { tempFolder } from '../../world/tempFolder.ts'

let simulation: Simulation
let device: SimulatedDevice
let server: ScriptedServer | undefined
beforeEach(async () => {
  simulation = await startSimulation({ devices: 1 })
  device = simulation.devices[0] as SimulatedDevice
})
afterEach(async () => {
  await server?.stop()
  await simulation.stop()
})

const failing: Script = (_, response) =>
  response.writeHead(503, { 'Content-Type': 'application/json' }).end('{"message": "maintenance"}')
const withoutVehicles: Script = ({ path }, response) => {
  if (path === '/api/login') return sendJson(response, { message: 'ok', app: null, auth: 'the-token' })
  response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"message": "not found"}')
}

async function diagnose(script: Script, ...subject: string[]) {
  server = await startScriptedServer(script)
  const env = {
    FITTER_DEVICE_USER: device.user,
    FITTER_DEVICE_PASSWORD: device.password,
    FITTER_GATEWAY_USER: 'fitter@example.com',
    FITTER_GATEWAY_PASSWORD: 'right-one',
    XDG_RUNTIME_DIR: ''
  }
  return startFitter(
    [
      'diagnose',
      ...subject,
      '--vehicle',
      'Unit 7',
      '--json',
      '--data',
      tempFolder(),
      '--gateway',
      `http://${server.address}/api`
    ],
    { env }
  ).ended
}

// The process ends by itself: whatever keeps it alive makes the test late.
it.each<[string, Script, object, number]>([
  ['fails', failing, { brokenAt: null, tone: 'unknown' }, 0],
  ['shows no vehicles', withoutVehicles, { brokenAt: 'visible', tone: 'fail' }, 1]
])(
  'the device is judged where the gateway %s, and the command ends',
  async (_, script, verdict, code) => {
    const run = await diagnose(script, `127.0.0.1:${device.port}`)
    expect(run.json()).toMatchObject({ ...verdict, vehicle: null, vehicleText: 'Unit 7', device: { state: 'answers' } })
    const states = Object.fromEntries(
      run.json<{ chain: { link: string; state: string }[] }>().chain.map(({ link, state }) => [link, state])
    )
    expect(states).toMatchObject({
      power: 'ok',
      sim: 'ok',
      registration: 'ok',
      address: 'ok',
      apn: 'ok',
      vehicle: 'unknown'
    })
    expect([run.code, run.stderr.includes('Warning')]).toEqual([code, false])
  },
  360_000
)

it('without a device a gateway that fails is what ends it', async () => {
  const run = await diagnose(failing)
  expect([run.code, run.json()]).toMatchObject([3, { error: { code: expect.any(String) as string } }])
}, 360_000)

it.each(['challenge', 'firewall', 'maintenance', 'maintenanceAnswered', 'proxyPassword', 'noBackend'] as const)(
  '%s: terminal, diagnosis and page say the same',
  async (front) => {
    const { answer, headers } = answerOfFront(front, undefined)
    const script: Script = (_, response) =>
      response
        .writeHead(answer.status, { 'Content-Type': answer.contentType ?? 'application/json', ...headers })
        .end(answer.text ?? JSON.stringify(answer.body))
    const diagnosed = (await diagnose(script, `127.0.0.1:${device.port}`)).json<{
      gateway: { state: string; why: { text: string } | string }
    }>()
    const env = { FITTER_GATEWAY_USER: 'fitter@example.com', FITTER_GATEWAY_PASSWORD: 'right-one', XDG_RUNTIME_DIR: '' }
    const called = await startFitter(
      ['gateway', 'call', 'user.own', '--json', '--data', tempFolder(), '--gateway', `http://${server?.address}/api`],
      { env }
    ).ended
    const client = createGatewayClient({
      url: `http://${server?.address}/api`,
      credentials: () => Promise.resolve({ user: 'fitter@example.com', password: 'right-one' })
    })
    await client.user.own().catch(() => undefined)
    const page = english((await client.status()).detail)
    client.close()
    expect(JSON.stringify(diagnosed.gateway)).toContain(JSON.stringify(page).slice(1, -1))
    expect(called.json<{ error: { message: string } }>().error.message).toBe(page)
  },
  360_000
)
