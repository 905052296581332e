import { afterEach } from 'vitest'
import { startGateway, type SimulatedGateway } from '../../../../simulator/gateway/gateway.ts'
import type { GatewayOptions } from '../../../../simulator/gateway/types.ts'
import type { DeviceReport } from '../../../../simulator/report.ts'

export const imei = '356938035643809'
export const iccid = '89883030000000000017'

const running: SimulatedGateway[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((gateway) => gateway.stop()))
})

/** A clock that stands still until a test moves it. */
export function createClock(startMs = Date.UTC(2026, 10, 20, 9, 0, 0)): {
  now: () => number
  pass: (ms: number) => void
} {
  let nowMs = startMs
  return {
    now: () => nowMs,
    pass: (ms) => {
      nowMs += ms
    }
  }
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  /** Looked into freely by the tests. */
  body: ReturnType<JSON['parse']>
}

export interface Client {
  gateway: SimulatedGateway
  token: string
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  as(token: string): Client
}

/** A gateway with one reporting device, and a client signed in as the installer (or another account). */
export async function openGateway(options: Partial<GatewayOptions> = {}, role = 'installer'): Promise<Client> {
  const gateway = await startGateway({
    rateTiers: { data: [{ requests: 1000, perSeconds: 60 }], other: [{ requests: 1000, perSeconds: 60 }] },
    devices: [{ imei, model: 'ft4', iccid, lat: 40.4, lon: -3.7 }],
    delayMs: 0,
    ...options
  })
  running.push(gateway)
  const account = gateway.accounts.find((candidate) => candidate.role === role)
  const reply = await request(
    gateway,
    'POST',
    '/login',
    { username: account?.user, password: account?.password },
    undefined
  )
  return makeClient(gateway, reply.body.auth as string)
}

/** Opens a second session, of another account. */
export async function signIn(client: Client, role: string): Promise<Client> {
  const account = client.gateway.accounts.find((candidate) => candidate.role === role)
  const reply = await request(
    client.gateway,
    'POST',
    '/login',
    { username: account?.user, password: account?.password },
    undefined
  )
  return client.as(reply.body.auth as string)
}

function makeClient(gateway: SimulatedGateway, token: string): Client {
  return {
    gateway,
    token,
    get: (path, headers) => request(gateway, 'GET', path, undefined, token, headers),
    send: (method, path, body, headers) => request(gateway, method, path, body, token, headers),
    as: (other) => makeClient(gateway, other)
  }
}

/** One HTTP request; `body` as JSON. */
export async function request(
  gateway: SimulatedGateway,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
  headers: Record<string, string> = {}
): Promise<Reply> {
  const response = await fetch(gateway.url + path, {
    method,
    headers: {
      ...(token ? { Authenticate: token } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

let sequence = 0

/** A report of the device of `openGateway`. */
export function makeReport(changes: Partial<DeviceReport> = {}): DeviceReport {
  const io = {
    ign: true,
    pwr: true,
    in1: false,
    in2: false,
    in3: false,
    in4: true,
    in5: false,
    in6: false,
    in7: false,
    out1: false,
    out2: false,
    out3: true,
    out4: false,
    out1Short: false,
    out2Short: false,
    out3Short: false,
    out4Short: false
  }
  return {
    imei,
    deviceTimeMs: Date.now(),
    sequence: ++sequence,
    type: 10,
    code: 1,
    label: 'prdtst',
    lat: 40.4168,
    lon: -3.7038,
    validPosition: true,
    speedKmh: 36,
    headDeg: 90,
    hdop: 0.9,
    vdop: 1.2,
    sv: 11,
    csq: 21,
    io,
    iccid,
    supplyMv: 13_800,
    engineOn: true,
    rpm: 900,
    distanceM: 1000,
    ignitionS: 600,
    idleS: 120,
    ecu: { detected: false, parameters: [] },
    ...changes
  }
}
