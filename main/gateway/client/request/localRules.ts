import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { Endpoint } from './endpointTable.ts'
import { refuseRequest } from '../transport/refuse.ts'

interface Parts {
  query: ReadonlyMap<string, string>
  body: Readonly<Record<string, unknown>>
}

type Rule = (parts: Parts) => void

const textLimit = 40

/** Rules of one operation ("Limits", "Geofences", "Accessories"); a violation is reported before anything is sent. */
const rules: Record<string, Rule> = {
  'rawdata.query': ({ query }) => {
    // Without parameters the same path answers with the field catalogue.
    if (query.size === 0) throw refuseRequest(message('gatewayCall.rawdataEmpty'))
    if (query.has('resample') !== query.has('freq')) throw refuseRequest(message('gatewayCall.resampleAndFreq'))
    const freq = query.get('freq')
    if (freq !== undefined && !/^[1-9]\d*[MDHTS]$/.test(freq)) {
      throw refuseRequest(message('gatewayCall.freqForm'))
    }
  },
  'counters.query': ({ query }) => {
    if (query.size === 0) throw refuseRequest(message('gatewayCall.countersEmpty'))
    const round = query.get('round')
    if (round !== undefined && !(Number(round) >= 1 && Number(round) <= 10))
      throw refuseRequest(message('gatewayCall.roundRange'))
  },
  'ibuttons.create': ({ body }) => {
    if (!/^[0-9A-Za-z]{16}$/.test(String(body['id']))) throw refuseRequest(message('gatewayCall.keyFobId'))
  },
  'navscreen.sendMessage': ({ body }) => checkText(body['message']),
  'navscreen.sendJob': ({ body }) => {
    checkText(body['message'])
    if (!/^[\x20-\x7e]*$/.test(String(body['message']))) {
      throw refuseRequest(message('gatewayCall.plainLetters'))
    }
    checkRange('flat', body['flat'], 90)
    checkRange('flon', body['flon'], 180)
  },
  'geofences.create': checkGeofence,
  'geofences.update': checkGeofence,
  'routes.create': checkRoute,
  'routes.update': checkRoute
}

export function checkLocalRules(endpoint: Endpoint, parts: Parts): void {
  if (endpoint.isPaginated) {
    const set = parts.query.get('set')
    if (set !== undefined && !(Number(set) >= 1 && Number(set) <= endpoint.maxSet)) {
      throw refuseRequest(message('gatewayCall.setRange', { most: endpoint.maxSet }))
    }
    const page = parts.query.get('page')
    if (page !== undefined && Number(page) < 1) throw refuseRequest(message('gatewayCall.pageRange'))
  }
  const from = parts.query.get('from') ?? parts.query.get('_from')
  const to = parts.query.get('to') ?? parts.query.get('_to')
  if (from !== undefined && to !== undefined && (timeFromOutside(from) ?? 0) > endOf(to)) {
    throw refuseRequest(message('gatewayCall.endsBeforeBeginning'))
  }
  rules[endpoint.id]?.(parts)
}

function endOf(text: string): number {
  return timeFromOutside(text.includes('T') ? text : `${text}T23:59:59`) ?? Infinity
}

function checkText(text: unknown): void {
  const length = [...String(text)].length
  if (length === 0) throw refuseRequest(message('gatewayCall.textEmpty'))
  if (length > textLimit) throw refuseRequest(message('gatewayCall.textTooLong', { length, most: textLimit }))
}

function checkRange(name: string, value: unknown, limit: number): void {
  if (typeof value !== 'number' || Math.abs(value) > limit)
    throw refuseRequest(message('gatewayCall.degreesRange', { name, limit }))
}

function checkGeofence({ body }: Parts): void {
  const shape = body['geometry'] as { type?: unknown; radius?: unknown; coordinates?: unknown }
  const properties = body['properties'] as { visibility?: unknown; groups?: unknown }
  if (properties.visibility === 'groups' && !(Array.isArray(properties.groups) && properties.groups.length > 0)) {
    throw refuseRequest(message('gatewayCall.groupsMissing'))
  }
  switch (shape.type) {
    case 'Polygon':
      return checkPolygon(shape.coordinates)
    case 'Circle':
      checkPosition(shape.coordinates)
      if (typeof shape.radius !== 'number' || !(shape.radius >= 50))
        throw refuseRequest(message('gatewayCall.circleRadius'))
      return
    case 'LineString':
      if (!Array.isArray(shape.coordinates) || shape.coordinates.length < 2)
        throw refuseRequest(message('gatewayCall.linePositions'))
      shape.coordinates.forEach(checkPosition)
      if (typeof shape.radius !== 'number' || !(shape.radius > 0))
        throw refuseRequest(message('gatewayCall.lineRadius'))
      return
    default:
      throw refuseRequest(message('gatewayCall.shapeUnknown'))
  }
}

function checkPolygon(coordinates: unknown): void {
  if (!Array.isArray(coordinates) || coordinates.length === 0) throw refuseRequest(message('gatewayCall.polygonRings'))
  let count = 0
  for (const ring of coordinates as unknown[]) {
    if (!Array.isArray(ring) || ring.length < 3) throw refuseRequest(message('gatewayCall.polygonPositions'))
    ring.forEach(checkPosition)
    const [first, last] = [ring[0] as number[], ring.at(-1) as number[]]
    if (first[0] !== last[0] || first[1] !== last[1]) throw refuseRequest(message('gatewayCall.polygonOpen'))
    count += ring.length
  }
  if (count > 800) throw refuseRequest(message('gatewayCall.polygonTooLong', { coordinates: count }))
}

function checkPosition(position: unknown): void {
  if (!Array.isArray(position) || position.length < 2) throw refuseRequest(message('gatewayCall.positionForm'))
  checkRange('longitude', position[0], 180)
  checkRange('latitude', position[1], 90)
}

function checkRoute({ body }: Parts): void {
  const checkpoints = body['checkpoints'] as unknown[]
  if (checkpoints.length < 2) throw refuseRequest(message('gatewayCall.routeCheckpoints'))
  for (const checkpoint of checkpoints) {
    const { lat, lon, buffer } = (checkpoint ?? {}) as Record<string, unknown>
    checkRange('lat', lat, 90)
    checkRange('lon', lon, 180)
    if (typeof buffer !== 'number' || !(buffer > 0)) throw refuseRequest(message('gatewayCall.checkpointBuffer'))
  }
}
