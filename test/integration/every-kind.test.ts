import { afterAll, test } from 'vitest'
import { createAccessoryWork } from '../../main/gateway/accessoryWork.ts'
import { createGatewayClient } from '../../main/gateway/client.ts'
import { createInstallationGateway } from '../../main/gateway/installation.ts'
import { createVehicleGateway } from '../../main/gateway/vehicles.ts'
import { createOperations, type NewWork } from '../../main/operations/engine.ts'
import type { OperationKind } from '../../main/operations/kind.ts'
import { assetsCreate } from '../../main/operations/kinds/assetsCreate.ts'
import { btTagsAssign } from '../../main/operations/kinds/btTagsAssign.ts'
import { countersCreate, countersSetGlobal } from '../../main/operations/kinds/counters.ts'
import { entitiesLink } from '../../main/operations/kinds/entitiesLink.ts'
import { geofencesCreate } from '../../main/operations/kinds/geofencesCreate.ts'
import { ibuttonsCreate } from '../../main/operations/kinds/ibuttonsCreate.ts'
import { simsUpdate } from '../../main/operations/kinds/simsUpdate.ts'
import { triggersCreate } from '../../main/operations/kinds/triggersCreate.ts'
import { plainMessage } from '../../preload/contract/messages.ts'
import { startGateway, type SimulatedGateway } from '../../simulator/gateway/index.ts'
import type { Fault } from '../../simulator/gateway/types.ts'
import type { DeviceReport } from '../../simulator/report.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../main/store/index.ts'

/** Every kind of gateway work that can wait, against everything that a network and a gateway do with a write. */

const imei = '356938035643809'
const iccid = '89340711002769804831'
const never = new AbortController().signal
const graceMs = 250
const cacheLagMs = 60

const faults: [name: string, fault: Fault | null][] = [
  ['nothing goes wrong', null],
  ['the connection breaks before the effect', { resetBefore: true }],
  ['the connection breaks after the effect', { resetAfter: true }],
  ['the effect comes after the connection broke', { lateMs: 120 }],
  ['the reply is cut in the middle', { truncated: true }],
  ['the gateway hangs after the effect', { hang: true, after: true }],
  ['500 without an effect', { status: 500 }],
  ['500 after the effect', { status: 500, after: true }],
  ['a sign-in page instead of the gateway', { html: true }],
  ['the token has expired', { status: 401 }],
  ['too many requests', { status: 429, resetAfterS: 1 }],
  ['409 although it is not there', { status: 409 }],
  ['400', { status: 400 }],
  ['403', { status: 403 }],
  ['404', { status: 404 }]
]

interface Kind {
  /** Operation of the API that writes. */
  operation: string
  make(parts: Parts): OperationKind<never>
  work(gateway: SimulatedGateway, n: number): Pick<NewWork, 'key' | 'payload'>
  /** How often the effect is there; of what is set to a value, 1 when it is that value. */
  count(gateway: SimulatedGateway, payload: never): number
  /** The vehicle may have driven meanwhile. */
  neverResent?: boolean
}

type Parts = ReturnType<typeof partsOf>

const kinds: Record<string, Kind> = {
  'a key': {
    operation: 'ibuttons.create',
    make: ({ work, installation }) => ibuttonsCreate({ ...work, findExact: installation.findExact }) as OperationKind<never>,
    work: (gateway, n) => ({ key: `ibutton:${n}`, payload: { id: `A1B2C3D4E5F6${String(n).padStart(4, '0')}`, assetId: assetOf(gateway).id, assetName: assetOf(gateway).name } }),
    count: (gateway, { id }: { id: string }) => gateway.state.ibuttons.filter((one) => one.id === id).length
  },
  'a link': {
    operation: 'entities.link',
    make: ({ installation }) => entitiesLink(installation) as OperationKind<never>,
    work(gateway, n) {
      const vehicle = visibleVehicles(gateway)[n]
      if (!vehicle) throw new Error('too few vehicles')
      return { key: `vehicle:${vehicle.id}`, payload: { primary: { id: vehicle.id, text: vehicle.name }, secondary: { id: assetOf(gateway).id, text: assetOf(gateway).name } } }
    },
    count: (gateway, { primary }: { primary: { id: number } }) => gateway.state.links.filter((link) => link.primary === primary.id).length
  },
  'a tag': {
    operation: 'btTags.assign',
    make: ({ work }) => btTagsAssign(work) as OperationKind<never>,
    work: (gateway, n) => ({ key: `tag:${n}`, payload: { mac: `AC233FA0${String(n).padStart(4, '0')}`, assetId: assetOf(gateway).id, assetName: assetOf(gateway).name } }),
    count: (gateway, { mac }: { mac: string }) => gateway.state.btTags.filter((tag) => tag.mac === mac).length
  },
  'the number of a SIM': {
    operation: 'sims.update',
    make: ({ work }) => simsUpdate(work) as OperationKind<never>,
    work: (gateway, n) => ({ key: `sim:${iccid}`, payload: { iccid, resourceId: gateway.state.sims.find((sim) => sim.iccid === iccid)?.id ?? 0, lineNumber: `+34 600 000 ${100 + n}` } }),
    count: (gateway, { lineNumber }: { lineNumber: string }) => gateway.state.sims.filter((sim) => sim.line_number === lineNumber).length
  },
  'an asset': {
    operation: 'assets.create',
    make: ({ work }) => assetsCreate(work.assets) as OperationKind<never>,
    work: (_gateway, n) => ({ key: `asset:${n}`, payload: { name: `Driver new ${n}`, type: 'driver', groups: [1], ref: refOf(n) } }),
    count: (gateway, { name }: { name: string }) => gateway.state.assets.filter((one) => one.name === name).length
  },
  'a trigger': {
    operation: 'triggers.create',
    make: ({ work }) => triggersCreate(work.triggers) as OperationKind<never>,
    work: (gateway, n) => ({
      key: `trigger:${n}`,
      payload: { name: `Test ${n}`, timezone: 'UTC', vehicleId: visibleVehicles(gateway)[0]?.id ?? 0, rules: [{ id: 'fast', key: 'speed', operator: '>=', value: 25 }], postfix: ['fast'], emails: [], ref: refOf(n) }
    }),
    count: (gateway, { name }: { name: string }) => gateway.state.triggers.filter((one) => one['name'] === name).length
  },
  'a geofence': {
    operation: 'geofences.create',
    make: ({ work }) => geofencesCreate(work.fences) as OperationKind<never>,
    work: (_gateway, n) => ({ key: `fence:${n}`, payload: { name: `Yard ${n}`, latitude: 40.4, longitude: -3.7, radiusM: 100, ref: refOf(n) } }),
    count: (gateway, { ref }: { ref: string }) => gateway.state.geofences.filter((one) => JSON.stringify(one).includes(ref)).length
  },
  'a counter of its own': {
    operation: 'counters.create',
    make: ({ vehicles }) => countersCreate(vehicles) as OperationKind<never>,
    work: (gateway, n) => ({ key: `counter:${n}`, payload: { vid: carrierOf(gateway).id, vehicle: 'x', counter: 'dev_dist', unit: 'm', initialValue: n, description: `Oil ${n}`, ref: refOf(n) } }),
    count: (gateway, { ref }: { ref: string }) => gateway.state.userCounters.filter((one) => JSON.stringify(one).includes(ref)).length
  },
  'a counter that is set': {
    operation: 'counters.setGlobal',
    make: ({ vehicles }) => countersSetGlobal(vehicles) as OperationKind<never>,
    work: (gateway, n) => ({ key: `counter:${n}`, payload: { vid: carrierOf(gateway).id, vehicle: 'x', counter: 'dev_dist', unit: 'm', value: 1e8 * (n + 1) } }),
    count: (gateway) => gateway.state.effects.filter(({ operation }) => operation === 'counters.setGlobal').length,
    neverResent: true
  }
}

function refOf(n: number): string {
  return `ref:01ARZ3NDEKTSV4RRFFQ69G${String(n).padStart(4, '0')}`
}

function visibleVehicles(gateway: SimulatedGateway) {
  return gateway.state.vehicles.filter(({ groups }) => groups.some((group) => group === 1 || group === 2))
}

function carrierOf(gateway: SimulatedGateway) {
  const carrier = gateway.state.vehicles.find(({ device }) => String(device) === imei)
  if (!carrier) throw new Error('no vehicle has the device')
  return carrier
}

function assetOf(gateway: SimulatedGateway) {
  const asset = gateway.state.assets.find(({ groups }) => groups.some((group) => group === 1 || group === 2))
  if (!asset) throw new Error('no asset')
  return asset
}

function partsOf(gateway: SimulatedGateway) {
  const client = createGatewayClient({ url: gateway.url, credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password }), timeoutMs: 400 })
  const get = () => Promise.resolve(client)
  return { client, work: createAccessoryWork(get), installation: createInstallationGateway(get), vehicles: createVehicleGateway(get) }
}

const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

test.concurrent.for(Object.entries(kinds))('%s: nothing is lost, doubled or claimed that is not there', { timeout: 120_000 }, async ([, kind], { expect }) => {
  const plenty = [{ requests: 5_000, perSeconds: 60 }]
  const gateway = await startGateway({ devices: [{ imei, model: 'ft4', iccid, lat: 40.4, lon: -3.7 }], vehicles: 60, delayMs: 0, rateTiers: { data: plenty, other: plenty } })
  const parts = partsOf(gateway)
  stops.push(() => parts.client.close(), () => gateway.stop())
  const folder = mkdtempSync(join(tmpdir(), 'fitter-kinds-'))
  const store = openStore(folder)
  stops.push(() => store.close(), () => rmSync(folder, { recursive: true, force: true }))
  const ends: string[] = []
  for (const [n, [name, fault]] of faults.entries()) {
    const operations = createOperations({
      rows: store.operations,
      kinds: [kind.make(parts)] as never,
      clockDifferenceMs: () => (parts.client.clockDifferenceS() ?? 0) * 1000,
      graceMs,
      cacheLagMs,
      lookEveryMs: 40,
      changed: () => undefined
    })
    const { key, payload } = kind.work(gateway, n)
    const before = kind.count(gateway, payload as never)
    gateway.setFault(fault && { ...fault, operation: kind.operation, times: 1 })
    const { id } = operations.add({ kind: kind.make(parts).kind, key, title: plainMessage(name), payload, jobId: null, draft: false })
    await expect
      .poll(
        async () => {
          gateway.receive(reportNow())
          await operations.pass(never)
          return operations.get(id)?.state
        },
        { timeout: 15_000, interval: 20 }
      )
      .toMatch(/^(done|failed|needsAttention)$/)
    const effects = kind.count(gateway, payload as never) - before
    ends.push(verdict({ name, fault, state: operations.get(id)?.state ?? '', effects, isNeverResent: kind.neverResent === true }))
    // What needs a person would hold back the next one on its key.
    if (operations.get(id)?.state === 'needsAttention') operations.drop(id, 'judged')
    await operations.stop()
  }
  expect(ends.filter((end) => end !== '')).toEqual([])
  expect(gateway.violations).toEqual([])
})

/** What is wrong with an end; empty when nothing is. */
function verdict({ name, fault, state, effects, isNeverResent }: { name: string; fault: Fault | null; state: string; effects: number; isNeverResent: boolean }): string {
  const said = `${name}: ${state} with ${effects} effects`
  if (effects > 1) return `doubled: ${said}`
  if (state === 'done' && effects === 0) return `claimed: ${said}`
  const status = fault?.after ? undefined : fault?.status
  if (status === 400 || status === 403) return state === 'failed' && effects === 0 ? '' : `refused: ${said}`
  if (status === 404 || status === 409) return state === 'needsAttention' && effects === 0 ? '' : `refused: ${said}`
  const wasLost = fault?.resetBefore === true || fault?.html === true || status === 500
  if (isNeverResent && wasLost) return state === 'needsAttention' && effects === 0 ? '' : `sent again: ${said}`
  return state === 'done' && effects === 1 ? '' : `lost: ${said}`
}

let reports = 0
function reportNow(): DeviceReport {
  reports += 1
  const io = { ign: false, pwr: true, in1: false, in2: false, in3: false, in4: false, in5: false, in6: false, in7: false, out1: false, out2: false, out3: false, out4: false, out1Short: false, out2Short: false, out3Short: false, out4Short: false }
  return {
    imei, deviceTimeMs: Date.now(), sequence: reports, type: 10, code: 1, label: 'prdtst', lat: 40.4, lon: -3.7, validPosition: true, speedKmh: 0, headDeg: 0, hdop: 0.9, vdop: 1.2, sv: 11, csq: 22,
    io, iccid, supplyMv: 12_600, engineOn: false, rpm: 0, distanceM: 1_000, ignitionS: 10, idleS: 240, ecu: { detected: true, parameters: ['ECU_RPM'] }
  }
}

