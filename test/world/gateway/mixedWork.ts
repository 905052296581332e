import { createGatewayClient, type GatewayClient } from '../../../main/gateway/client/client.ts'
import type { NewWork } from '../../../main/gateway/waitingWork/engine.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { SimulatedGateway } from '../../../simulator/gateway/gateway.ts'

/** One piece of work, and how often its effect is at the gateway. */
export interface Piece {
  kind: string
  work: Pick<NewWork, 'kind' | 'key' | 'payload' | 'title' | 'jobId' | 'draft'>
  /** The operation of the API that writes it. */
  operation: string
  effects(): number
}

/** Of a hundred pieces, as many of each kind as installations of a week leave. */
const sharesPercent = {
  link: 30,
  key: 20,
  tag: 10,
  sim: 6,
  setCounter: 6,
  ownCounter: 6,
  asset: 10,
  trigger: 6,
  geofence: 6
}
type Share = keyof typeof sharesPercent

export function clientOf(gateway: SimulatedGateway): GatewayClient {
  return createGatewayClient({
    url: gateway.url,
    credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password })
  })
}

/** `count` pieces of work of all kinds, in an order in which no kind comes twice in a row for long. */
export function mixedWork(gateway: SimulatedGateway, count: number): Piece[] {
  const isVisible = ({ groups }: { groups: number[] }) => groups.some((group) => group === 1 || group === 2)
  const vehicles = gateway.state.vehicles.filter(isVisible)
  const carriers = vehicles.filter(({ device }) => device !== null)
  const assets = gateway.state.assets.filter(isVisible)
  const sims = gateway.state.sims.filter(({ imei }) => carriers.some(({ device }) => device === imei))
  const { state } = gateway

  const make: Record<Share, (n: number) => Omit<Piece, 'work'> & { key: string; payload: NewWork['payload'] }> = {
    link(n) {
      const [primary, secondary] = [at(vehicles, n), at(assets, n)]
      return {
        kind: 'entities.link',
        operation: 'entities.link',
        key: `vehicle:${primary.id}`,
        payload: {
          primary: { id: primary.id, text: primary.name },
          secondary: { id: secondary.id, text: secondary.name }
        },
        effects: () =>
          state.links.filter((link) => link.primary === primary.id && link.secondary === secondary.id).length
      }
    },
    key(n) {
      const id = `A1B2C3D4E5F6${n.toString(16).toUpperCase().padStart(4, '0')}`
      const asset = at(assets, n)
      return {
        kind: 'ibuttons.create',
        operation: 'ibuttons.create',
        key: `ibutton:${id}`,
        payload: { id, assetId: asset.id, assetName: asset.name },
        effects: () => state.ibuttons.filter((one) => one.id === id).length
      }
    },
    tag(n) {
      const mac = `AC233FA0${n.toString(16).toUpperCase().padStart(4, '0')}`
      const asset = at(assets, n)
      return {
        kind: 'btTags.assign',
        operation: 'btTags.assign',
        key: `tag:${mac}`,
        payload: { mac, assetId: asset.id, assetName: asset.name },
        effects: () => state.btTags.filter((tag) => tag.mac === mac).length
      }
    },
    sim(n) {
      const sim = at(sims, n)
      const lineNumber = `+34 600 ${String(n).padStart(6, '0')}`
      return {
        kind: 'sims.update',
        operation: 'sims.update',
        key: `sim:${sim.iccid}`,
        payload: { iccid: sim.iccid, resourceId: sim.id, lineNumber },
        effects: () => state.sims.filter((one) => one.line_number === lineNumber).length
      }
    },
    setCounter(n) {
      const { id: vid, name } = at(carriers, n)
      const value = 1e8 + n
      return {
        kind: 'counters.setGlobal',
        operation: 'counters.setGlobal',
        key: `counter:${vid}:dev_dist`,
        payload: { vid, vehicle: name, counter: 'dev_dist', unit: 'm', value },
        effects: () =>
          state.effects.filter(({ operation, detail }) => operation === 'counters.setGlobal' && detail['vid'] === vid)
            .length
      }
    },
    ownCounter(n) {
      const { id: vid, name } = at(vehicles, n)
      const ref = refOf('C', n)
      return {
        kind: 'counters.create',
        operation: 'counters.create',
        key: `counter:${vid}:own:${n}`,
        payload: { vid, vehicle: name, counter: 'dev_dist', unit: 'm', initialValue: n, description: `Oil ${n}`, ref },
        effects: () => state.userCounters.filter((one) => JSON.stringify(one).includes(ref)).length
      }
    },
    asset(n) {
      const ref = refOf('A', n)
      return {
        kind: 'assets.create',
        operation: 'assets.create',
        key: `asset:${ref}`,
        payload: { name: `Trailer new ${n}`, type: 'trailer', groups: [1], ref },
        effects: () => state.assets.filter(({ info }) => info['ref'] === ref).length
      }
    },
    trigger(n) {
      const ref = refOf('T', n)
      const rules = [{ id: 'fast', key: 'speed', operator: '>=', value: 25 }]
      return {
        kind: 'triggers.create',
        operation: 'triggers.create',
        key: `trigger:${ref}`,
        payload: {
          name: `Fast ${n}`,
          timezone: 'UTC',
          vehicleId: at(vehicles, n).id,
          rules,
          postfix: ['fast'],
          emails: [],
          ref
        },
        effects: () => state.triggers.filter((one) => JSON.stringify(one).includes(ref)).length
      }
    },
    geofence(n) {
      const ref = refOf('F', n)
      return {
        kind: 'geofences.create',
        operation: 'geofences.create',
        key: `fence:${ref}`,
        payload: { name: `Yard ${n}`, latitude: 40.4, longitude: -3.7, radiusM: 100, ref },
        effects: () => state.geofences.filter((one) => JSON.stringify(one).includes(ref)).length
      }
    }
  }

  const left = new Map(
    Object.entries(sharesPercent).map(([share, percent]) => [share as Share, Math.round((count * percent) / 100)])
  )
  const pieces: Piece[] = []
  for (let n = 0; pieces.length < count; n++) {
    const shares = [...left].filter(([, more]) => more > 0)
    if (shares.length === 0) return pieces
    for (const [share, more] of shares) {
      const { key, payload, ...piece } = make[share](n)
      pieces.push({
        ...piece,
        work: { kind: piece.kind, key, payload, title: plainMessage(`${share} ${n}`), jobId: null, draft: false }
      })
      left.set(share, more - 1)
    }
  }
  return pieces
}

function at<T>(list: readonly T[], n: number): T {
  const one = list[n % list.length]
  if (one === undefined) throw new Error('The simulated gateway has too few records')
  return one
}

function refOf(letter: string, n: number): string {
  return `ref:01ARZ3NDEKTSV4RRFFQ6${letter}${String(n).padStart(5, '0')}`
}
