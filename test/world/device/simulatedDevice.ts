import { request as sendRequest } from 'node:http'
import { onTestFinished } from 'vitest'
import * as areas from '../../../preload/contract/device/deviceAreas.ts'
import {
  startSimulation,
  type SimulatedDevice,
  type Simulation,
  type SimulationOptions
} from '../../../simulator/simulation.ts'

/** A simulation that ends with its test, and its first device. */
export async function simulate(
  options: SimulationOptions = {}
): Promise<{ simulation: Simulation; device: SimulatedDevice }> {
  const simulation = await startSimulation(options)
  onTestFinished(simulation.stop)
  const device = simulation.devices[0]
  if (!device) throw new Error('no device was started')
  return { simulation, device }
}

export interface Sent {
  method?: string
  body?: unknown
  rawBody?: string
  type?: string | null
  credentials?: string | null
  limitMs?: number
}

interface Received {
  status: number
  type: string
  text: string
  json: unknown
}

/** One HTTP request to a device, as it is: what a client of ours would never send too. */
export function send(device: SimulatedDevice, path: string, sent: Sent = {}): Promise<Received> {
  const payload = sent.rawBody ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const headers: Record<string, string> = {}
  const credentials = sent.credentials === undefined ? `${device.user}:${device.password}` : sent.credentials
  if (credentials !== null) headers['Authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
  if (payload !== undefined && sent.type !== null) headers['Content-Type'] = sent.type ?? 'application/json'
  return new Promise((resolve, reject) => {
    const request = sendRequest(
      { host: device.host, port: device.port, path, method: sent.method ?? 'GET', headers, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text,
            json: parse(text)
          })
        })
      }
    )
    request.setTimeout(sent.limitMs ?? 5000, () => request.destroy(new Error('no answer in time')))
    request.on('error', reject)
    request.end(payload)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export const post = (device: SimulatedDevice, path: string, body?: unknown) =>
  send(device, path, { method: 'POST', body })
export const read = async (device: SimulatedDevice, path: string) =>
  (await send(device, path)).json as Record<string, unknown>

export const ecuParameter = {
  PARAM_NAME: 'ecu_speed',
  PGN: 'FEF1',
  TRANSMISSION_RATE: '100',
  PRIORITY: '6',
  DLC: '8',
  LENGTH: '2',
  START_POSITION: '2',
  MULTIPLIER: '0.00390625',
  GROUP: 'SIGNAL',
  OFFSET: 0
}

/** A documented request for each operation, and the schema of its answer where the document shows one. */
export const samples: Record<
  string,
  { path?: string; body?: unknown; schema?: { safeParse: (value: unknown) => { success: boolean } } }
> = {
  'auth.login': { body: { username: 'trainee', password: 'filled in below' } },
  'exec.run': { body: { command: 'uptime' } },
  'gps.position': { schema: areas.gpsPosition },
  'eth.state': { schema: areas.ethernetState },
  'wifi.state': { schema: areas.wifiState },
  'wifi.start': {},
  'wifi.stop': {},
  'wifi.reset': {},
  'wifi.list': { schema: areas.wifiList },
  'wifi.scan': { schema: areas.wifiScan },
  'wifi.add': { path: '/wifi/add/Yard/not-a-secret-yard' },
  'wifi.remove': { path: '/wifi/remove/Yard' },
  'hotspot.list': { schema: areas.hotspotList },
  'hotspot.state': { schema: areas.hotspotState },
  'hotspot.edit': { path: '/hotspot/edit/Van/not-a-secret' },
  'hotspot.start': {},
  'hotspot.stop': {},
  'modem.information': { schema: areas.modemInformation },
  'modem.configuration': { schema: areas.modemConfiguration },
  'modem.editApn': { body: { apn: 'm2m.example', user: 'u', pass: 'p', pin: '0000' } },
  'io.all': { schema: areas.ioState },
  'io.setOutput': { path: '/IO/OUT2/true' },
  'accel.state': { schema: areas.accelerometerState },
  'accel.configuration': { schema: areas.accelerometerConfiguration },
  'accel.autoAlignment': { body: { state: true } },
  'system.info': { schema: areas.systemInfo },
  'updates.osCheck': { schema: areas.osUpdate },
  'apps.list': { schema: areas.applications },
  'ecu.addParameter': { body: ecuParameter },
  'ecu.configure': { body: { PRIMARY_CAN: 'J1939', SECONDARY_CAN: 'NONE', J1708: 'FALSE', LISTEN_ONLY_MODE: 'NONE' } }
}
