import type { Endpoint } from './endpointTable.ts'
import { refuse } from './refuse.ts'

interface Parts {
  query: ReadonlyMap<string, string>
  body: Readonly<Record<string, unknown>>
}

type Rule = (parts: Parts) => void

const textLimit = 40

/** Rules of one operation ("Limits", "Geofences", "Accessories"); the reason is said before anything is sent. */
const rules: Record<string, Rule> = {
  'rawdata.query': ({ query }) => {
    // Without parameters the same path answers with the field catalogue.
    if (query.size === 0) throw refuse('rawdata.query needs at least one parameter, such as duration=P1D. For the field catalogue use rawdata.keys.')
    if (query.has('resample') !== query.has('freq')) throw refuse('"resample" and "freq" must be given together.')
    const freq = query.get('freq')
    if (freq !== undefined && !/^[1-9]\d*[MDHTS]$/.test(freq)) {
      throw refuse('"freq" must be a whole number above 0 and M (months), D, H, T (minutes) or S, such as 15T.')
    }
  },
  'counters.query': ({ query }) => {
    if (query.size === 0) throw refuse('counters.query needs at least one parameter, such as duration=P1D. For the descriptions use counters.describe.')
    const round = query.get('round')
    if (round !== undefined && !(Number(round) >= 1 && Number(round) <= 10)) throw refuse('"round" must be 1 to 10 decimals.')
  },
  'ibuttons.create': ({ body }) => {
    if (!/^[0-9A-Za-z]{16}$/.test(String(body['id']))) throw refuse('The id of a key fob (iButton) must be exactly 16 letters and digits.')
  },
  'navscreen.sendMessage': ({ body }) => checkText(body['message']),
  'navscreen.sendJob': ({ body }) => {
    checkText(body['message'])
    if (!/^[\x20-\x7e]*$/.test(String(body['message']))) {
      throw refuse('The text of a job may only have plain letters, digits and signs (ASCII): no accents, no line breaks.')
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
      throw refuse(`"set" must be 1 to ${endpoint.maxSet} items per page.`)
    }
    const page = parts.query.get('page')
    if (page !== undefined && Number(page) < 1) throw refuse('"page" must be 1 or more.')
  }
  const from = parts.query.get('from') ?? parts.query.get('_from')
  const to = parts.query.get('to') ?? parts.query.get('_to')
  if (from !== undefined && to !== undefined && Date.parse(`${from}`) > endOf(to)) {
    throw refuse('The time range ends before it begins: "from" is after "to".')
  }
  rules[endpoint.id]?.(parts)
}

function endOf(text: string): number {
  return text.includes('T') ? Date.parse(text) : Date.parse(`${text}T23:59:59`)
}

function checkText(text: unknown): void {
  const length = [...String(text)].length
  if (length === 0) throw refuse('The text is empty.')
  if (length > textLimit) throw refuse(`The text has ${length} characters; the navigation unit takes at most ${textLimit}.`)
}

function checkRange(name: string, value: unknown, limit: number): void {
  if (typeof value !== 'number' || Math.abs(value) > limit) throw refuse(`"${name}" must be -${limit} to ${limit} degrees.`)
}

function checkGeofence({ body }: Parts): void {
  const shape = body['geometry'] as { type?: unknown; radius?: unknown; coordinates?: unknown }
  const properties = body['properties'] as { visibility?: unknown; groups?: unknown }
  if (properties.visibility === 'groups' && !(Array.isArray(properties.groups) && properties.groups.length > 0)) {
    throw refuse('A geofence that is visible to groups needs "groups" in its properties.')
  }
  switch (shape.type) {
    case 'Polygon':
      return checkPolygon(shape.coordinates)
    case 'Circle':
      checkPosition(shape.coordinates)
      if (typeof shape.radius !== 'number' || !(shape.radius >= 50)) throw refuse('The radius of a circle must be at least 50 meters.')
      return
    case 'LineString':
      if (!Array.isArray(shape.coordinates) || shape.coordinates.length < 2) throw refuse('A line needs at least 2 positions [lon, lat].')
      shape.coordinates.forEach(checkPosition)
      if (typeof shape.radius !== 'number' || !(shape.radius > 0)) throw refuse('A line needs a radius in meters.')
      return
    default:
      throw refuse('The geometry of a geofence must be a Polygon, a Circle or a LineString.')
  }
}

function checkPolygon(coordinates: unknown): void {
  if (!Array.isArray(coordinates) || coordinates.length === 0) throw refuse('A polygon needs a list of rings of positions [lon, lat].')
  let count = 0
  for (const ring of coordinates as unknown[]) {
    if (!Array.isArray(ring) || ring.length < 3) throw refuse('A polygon needs 3 or more positions [lon, lat].')
    ring.forEach(checkPosition)
    const [first, last] = [ring[0] as number[], ring.at(-1) as number[]]
    if (first[0] !== last[0] || first[1] !== last[1]) throw refuse('The polygon is not closed: its last position must equal its first.')
    count += ring.length
  }
  if (count > 800) throw refuse(`The polygon has ${count} coordinates; the gateway takes at most 800.`)
}

function checkPosition(position: unknown): void {
  if (!Array.isArray(position) || position.length < 2) throw refuse('A position must be [longitude, latitude] in degrees.')
  checkRange('longitude', position[0], 180)
  checkRange('latitude', position[1], 90)
}

function checkRoute({ body }: Parts): void {
  const checkpoints = body['checkpoints'] as unknown[]
  if (checkpoints.length < 2) throw refuse('A route needs at least 2 checkpoints: origin and destination.')
  for (const checkpoint of checkpoints) {
    const { lat, lon, buffer } = (checkpoint ?? {}) as Record<string, unknown>
    checkRange('lat', lat, 90)
    checkRange('lon', lon, 180)
    if (typeof buffer !== 'number' || !(buffer > 0)) throw refuse('Every checkpoint needs a "buffer": its radius in meters.')
  }
}
