import type { Endpoint } from './endpointTable.ts'
import type { FieldKind } from './fieldKinds.ts'

export interface Field {
  kind: FieldKind
  isRequired: boolean
}

export interface DocumentedInputs {
  path: ReadonlyMap<string, Field>
  query: ReadonlyMap<string, Field>
  body: ReadonlyMap<string, Field>
  /** `search.<key.path>` is accepted. */
  hasSearch: boolean
  /** A body is sent, even if it is empty. */
  hasBody: boolean
}

const exportFormats = ['json', 'html', 'csv', 'tsv'] as const

const pathKinds: Record<string, FieldKind> = {
  id: 'id',
  vid: 'id',
  resource_id: 'id',
  route_id: 'numberOrText',
  job_id: 'numberOrText',
  site_id: 'numberOrText',
  imei: 'imei',
  mac: 'text',
  token: 'text',
  file: 'text',
  format: exportFormats
}

const queryKinds: Record<string, FieldKind> = {
  select: 'select',
  ids: 'csv',
  set: 'id',
  page: 'id',
  from: 'time',
  to: 'time',
  _from: 'time',
  _to: 'time',
  duration: 'duration',
  vehicles: 'csv',
  groups: 'csv',
  fields: 'fields',
  exclude: 'fields',
  types: 'csv',
  labels: 'csv',
  codes: 'csv',
  distance: ['meter', 'km', 'mile', 'user'],
  volume: ['liter', 'gallon', 'user'],
  time: ['second', 'minute', 'hour'],
  speed: 'text',
  raw: 'boolean',
  filter: 'text',
  resample: ['event_time', 'system_time'],
  freq: 'text',
  how: 'csv',
  fill: ['pad', 'ffill', 'bfill'],
  group_by: 'csv',
  order: 'csv',
  head: 'integer',
  tail: 'integer',
  export: exportFormats,
  async: 'boolean',
  tz: 'text',
  delta: 'text',
  round: 'integer',
  contained: 'boolean',
  data: 'csv',
  event: 'id',
  auth: 'text',
  upto: 'integer',
  skip: 'integer'
}

const bodyKinds: Record<string, FieldKind> = {
  username: 'text',
  password: 'text',
  scheme: ['infinite', 'finite', 'normal'],
  app: 'text',
  expires: 'integer',
  limit: 'integer',
  scopes: 'text',
  resource: 'text',
  app_scheme: 'text',
  primary_id: 'id',
  secondary_id: 'id',
  line_number: 'text',
  id: 'text',
  entity: 'id',
  name: 'text',
  type: 'text',
  info: 'object',
  groups: 'array',
  asset_id: 'id',
  otype: 'text',
  out: 'integer',
  state: 'boolean',
  new_mode: 'boolean',
  mtype: ['inbox', 'screen'],
  message: 'text',
  flat: 'number',
  flon: 'number',
  counter: 'text',
  value: 'number',
  initial_value: 'numberOrText',
  description: 'text',
  geometry: 'object',
  properties: 'object',
  script: 'text',
  engine: 'text',
  args: 'object',
  parameters: 'object',
  progress: 'object',
  result: 'object',
  processes: 'array',
  schedule: 'any',
  configuration: 'object'
}

const route = ['active', 'checkpoints', 'schedules', 'name?', 'enforce?', 'color?', 'description?', 'path?', 'options?']

/** Inputs in the text of the document that resources/endpoints.json lacks. */
const moreQuery: Record<string, readonly string[]> = {
  'trips.list': ['tz?'],
  'counters.query': ['tz?'],
  'counters.ofVehicle': ['tz?'],
  'ibuttons.list': ['tz?'],
  'photocam.browse': ['tz?'],
  'vehicles.get': ['select?', 'tz?'],
  'entities.get': ['select?'],
  'assets.get': ['select?'],
  'devices.list': ['ids?'],
  'routes.states': ['ids?', 'vehicles?']
}
const moreBody: Record<string, readonly string[]> = {
  'routes.create': route,
  'routes.update': route,
  'triggers.create': [
    'name?',
    'description?',
    'type?',
    'category?',
    'timezone?',
    'rules?',
    'postfix?',
    'groups?',
    'vehicles?',
    'options?',
    'processes?'
  ]
}
const kindsOf: Record<string, Record<string, FieldKind>> = {
  'sims.get': { id: 'text' },
  'reports.update': { state: ['running', 'error', 'done'] },
  'photocam.fromEvent': { time: 'time' },
  'trips.list': { export: ['csv', 'tsv'], speed: ['kph', 'mph', 'user'] },
  'counters.query': { speed: ['kph', 'mph', 'user'] },
  'session.logout': { auth: 'text' },
  'tasks.create': { id: 'any' },
  'triggers.create': { groups: 'any' },
  'engine.startJob': { configuration: 'object', parameters: 'object' }
}
const objectFields: Record<string, FieldKind> = {
  active: 'boolean',
  checkpoints: 'array',
  schedules: 'array',
  enforce: 'any',
  color: 'text',
  path: 'object',
  options: 'object',
  category: ['vehicle', 'site', 'user'],
  timezone: 'text',
  rules: 'array',
  postfix: 'array',
  vehicles: 'array'
}

const cache = new Map<Endpoint, DocumentedInputs>()

export function documentedInputs(endpoint: Endpoint): DocumentedInputs {
  const known = cache.get(endpoint)
  if (known) return known
  const own = kindsOf[endpoint.id] ?? {}
  const path = new Map<string, Field>()
  for (const [, name = ''] of endpoint.path.matchAll(/:([a-z_]+)/g)) {
    path.set(name, { kind: own[name] ?? pathKinds[name] ?? 'text', isRequired: true })
  }
  const paging = endpoint.isPaginated ? ['select?', 'set?', 'page?'] : []
  const query = new Map<string, Field>()
  for (const text of [...endpoint.query, ...paging, ...(moreQuery[endpoint.id] ?? [])]) {
    if (text.startsWith('search.')) continue
    const { name, isRequired } = split(text)
    query.set(name, { kind: own[name] ?? queryKinds[name] ?? 'text', isRequired })
  }
  const body = new Map<string, Field>()
  for (const text of [...endpoint.body, ...(moreBody[endpoint.id] ?? [])]) {
    const { name, isRequired } = split(text)
    body.set(name, { kind: own[name] ?? objectFields[name] ?? bodyKinds[name] ?? 'any', isRequired })
  }
  const result: DocumentedInputs = {
    path,
    query,
    body,
    hasSearch: endpoint.isPaginated,
    hasBody: endpoint.method === 'POST' || endpoint.method === 'PUT'
  }
  cache.set(endpoint, result)
  return result
}

function split(text: string): { name: string; isRequired: boolean } {
  return text.endsWith('?') ? { name: text.slice(0, -1), isRequired: false } : { name: text, isRequired: true }
}
