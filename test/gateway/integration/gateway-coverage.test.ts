import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../../../main/terminal/run.ts'
import { createEngineClient, createGatewayClient } from '../../../main/gateway/client/client.ts'
import { documentedInputs } from '../../../main/gateway/client/request/documentedInputs.ts'
import { engineEndpoints, gatewayEndpoints, type Endpoint } from '../../../main/gateway/client/request/endpointTable.ts'
import { calls } from '../../../preload/contract/index.ts'
import { engineOperations, startEngine, type SimulatedEngine } from '../../world/device/simulatedEngine.ts'
import { endpoints as simulated } from '../../../simulator/gateway/endpoints.ts'
import { simulatedForms } from '../../../simulator/forms.ts'
import { startGateway, type SimulatedGateway } from '../../../simulator/gateway/gateway.ts'
import { gatewayPlaces } from '../../world/gateway/gatewayCoverage.ts'

const documented = [...gatewayEndpoints.values(), ...engineEndpoints.values()]
const rendererFolder = path.join(import.meta.dirname, '..', '..', '..', 'renderer')
const renderer = fs
  .readdirSync(rendererFolder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|vue)$/.test(file) && !file.startsWith('locales'))
  .map((file) => fs.readFileSync(path.join(rendererFolder, file), 'utf8'))
  .join('\n')

describe('Every documented operation of the gateway and of a report engine', () => {
  it('is one of 83, and each has its line in the table', () => {
    expect(documented.map(({ id }) => id).sort()).toEqual(Object.keys(gatewayPlaces).sort())
    expect(documented).toHaveLength(83)
  })

  it.each(documented.map(({ id }) => id))('%s has a client method and a simulator handler', (id) => {
    const gateway = createGatewayClient({ url: 'https://gateway.example/api', credentials: async () => undefined })
    const clients = { ...gateway, ...createEngineClient({ url: 'https://engine.example' }) } as unknown as Record<
      string,
      Record<string, unknown>
    >
    const [area = '', verb = ''] = id.split('.')
    expect(clients[area]?.[verb]).toBeTypeOf('function')
    expect([...simulated.map((one) => one.id), ...engineOperations]).toContain(id)
  })

  it.each(documented.map(({ id }) => id))('%s has a place in the window, or a written reason why not', (id) => {
    const place = gatewayPlaces[id]
    if (place && 'reason' in place) return expect(place.reason.length).toBeGreaterThan(20)
    expect(Object.keys(calls)).toContain(place?.call)
    expect(renderer.includes(`'${place?.call}'`), `the window calls ${place?.call}`).toBe(true)
  })
})

/** The core without the client itself and without the terminal, which offers every operation. */
const core = fs
  .globSync('main/**/*.ts', { cwd: path.join(rendererFolder, '..') })
  .filter((file) => !/^main\/(terminal|gateway\/client\/(areas|request|client\.ts))/.test(file))
  .map((file) => fs.readFileSync(path.join(rendererFolder, '..', file), 'utf8'))
  .join('\n')

it('an operation that the core sends is not among those that fitting and diagnosing do not need', () => {
  const unneeded = Object.entries(gatewayPlaces).filter(
    ([, place]) => 'reason' in place && place.reason.includes('Not part of fitting or diagnosing')
  )
  expect(unneeded.length).toBeGreaterThan(20)
  expect(unneeded.map(([id]) => id).filter((id) => core.includes(`.${id}(`))).toEqual([])
})

describe.each(simulatedForms)('The terminal, with a gateway that answers in the form %s', (form) => {
  const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-gateway-coverage-'))
  const said = { out: '', error: '' }
  let gateway: SimulatedGateway
  let engine: SimulatedEngine

  beforeAll(async () => {
    const rateTiers = { data: [{ requests: 5000, perSeconds: 60 }], other: [{ requests: 5000, perSeconds: 60 }] }
    gateway = await startGateway({ devices: [], delayMs: 0, vehicles: 5, rateTiers, form })
    engine = await startEngine()
    vi.stubEnv('FITTER_GATEWAY_USER', gateway.user)
    vi.stubEnv('FITTER_GATEWAY_PASSWORD', gateway.password)
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/nowhere')
  })
  beforeEach(() => {
    Object.assign(said, { out: '', error: '' })
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true))
    const error = vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said.error += String(text)), true))
    return () => {
      out.mockRestore()
      error.mockRestore()
    }
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await gateway.stop()
    await engine.stop()
    fs.rmSync(dataFolder, { recursive: true, force: true })
  })

  const call = (url: string, id: string, ...more: string[]) =>
    runCommand(['gateway', 'call', id, '--json', '--yes', '--gateway', url, '--data', dataFolder, ...more])
  const needsOf = (endpoint: Endpoint) => {
    const { path: inPath, query, body } = documentedInputs(endpoint)
    return [inPath, query, body].flatMap((fields) =>
      [...fields].filter(([, field]) => field.isRequired).map(([name]) => name)
    )
  }
  const isFree = (endpoint: Endpoint) =>
    needsOf(endpoint).length === 0 &&
    !['session.logout', 'rawdata.query', 'counters.query', 'triggers.create', 'trips.list', 'routes.states'].includes(
      endpoint.id
    )

  it.each([...gatewayEndpoints.values()].filter(isFree))('runs $id', async ({ id }) => {
    expect(await call(gateway.url, id), said.out + said.error).toBe(0)
    expect(JSON.parse(said.out)).toMatchObject({ operation: id, status: 200 })
  })

  it.each(documented.filter((one) => needsOf(one).length > 0))('says what $id needs', async (endpoint) => {
    const url = engineEndpoints.has(endpoint.id) ? engine.url : gateway.url
    // The body of POST and PUT is asked for first; an empty one is none of the documented.
    expect(await call(url, endpoint.id)).toBe(2)
    const needs = needsOf(endpoint)
    if (endpoint.id === 'session.logout') return
    expect(
      needs.some((name) => (said.out + said.error).includes(name)),
      said.out + said.error
    ).toBe(true)
  })

  it('runs the operations of a report engine at the address that --gateway names, and keeps the token of the job to itself', async () => {
    expect(await call(engine.url, 'engine.manifest')).toBe(0)
    expect(JSON.parse(said.out)).toMatchObject({ value: { scripts: [{ script: 'distance_by_day' }] } })
    said.out = ''
    const configuration = {
      site_id: 7,
      site_url: 'https://gateway.example',
      user_id: 11,
      api_token: 'engine-token-marker',
      tz: 'UTC',
      job_id: 3,
      job_name: 'Distances',
      job_created_at: 1,
      job_expires: 2
    }
    expect(
      await call(engine.url, 'engine.startJob', '--body', JSON.stringify({ configuration, parameters: {} })),
      said.error
    ).toBe(0)
    expect(said.out + said.error).not.toContain('engine-token-marker')
    said.out = ''
    expect(
      await call(engine.url, 'engine.file', '--param', 'site_id=7', '--param', 'job_id=3', '--param', 'file=days.csv')
    ).toBe(0)
    expect(JSON.parse(said.out)).toMatchObject({ value: { text: expect.stringContaining('18250') } })
    expect(engine.violations).toEqual([])
  })
})
