import table from '../../../resources/endpoints.json' with { type: 'json' }
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

export interface DeviceEndpoint {
  id: string
  method: 'GET' | 'POST'
  path: string
  params: readonly string[]
  optionalParams: readonly string[]
  body: readonly string[]
  /** Changes something on the device, whatever the HTTP verb. */
  mutates: boolean
  /** Changes how the device is connected, or may restart it: nothing can be switched off through a lost connection. */
  cutsLink: boolean
}

interface TableEntry {
  id: string
  method: string
  path: string
  params?: string[]
  body?: string[]
  mutates: boolean
}

/** The table has what the documents say; which of it ends a connection is known from devices. */
const cuttingLinks: ReadonlySet<string> = new Set([
  'wifi.start',
  'wifi.stop',
  'wifi.reset',
  'wifi.add',
  'wifi.remove',
  'hotspot.edit',
  'hotspot.start',
  'hotspot.stop',
  'modem.editApn',
  // It may start an update.
  'updates.osCheck'
])

const endpoints = new Map<string, DeviceEndpoint>(
  (table.device as TableEntry[]).map((entry) => [
    entry.id,
    {
      id: entry.id,
      method: entry.method === 'POST' ? 'POST' : 'GET',
      path: entry.path,
      params: (entry.params ?? []).map((name) => name.replace(/\?$/, '')),
      optionalParams: (entry.params ?? []).filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1)),
      body: entry.body ?? [],
      mutates: entry.mutates,
      cutsLink: cuttingLinks.has(entry.id)
    }
  ])
)

/** Throws INVALID_REQUEST for an undocumented id. */
export function findEndpoint(id: string): DeviceEndpoint {
  const endpoint = endpoints.get(id)
  if (endpoint) return endpoint
  throw new AppError(
    'INVALID_REQUEST',
    message('device.noOperation', { name: id.slice(0, 60), known: [...endpoints.keys()].join(', ') })
  )
}

/**
 * The path of an operation, each parameter as one encoded segment. Throws INVALID_REQUEST for a value that a path
 * cannot contain.
 */
export function fillPath(endpoint: DeviceEndpoint, params: Readonly<Record<string, string | undefined>>): string {
  return endpoint.path
    .split('/')
    .filter((segment) => !(segment.endsWith('?') && !params[segment.slice(1, -1)]))
    .map((segment) => (segment.startsWith(':') ? encodeSegment(segment.replace(/^:|\?$/g, ''), params) : segment))
    .join('/')
}

function encodeSegment(name: string, params: Readonly<Record<string, string | undefined>>): string {
  const value = params[name]
  if (!value) throw new AppError('INVALID_REQUEST', message('device.empty', { name }))
  // "." and ".." would act as path steps, percent-encoded or not.
  if (value === '.' || value === '..' || !value.isWellFormed()) {
    throw new AppError('INVALID_REQUEST', message('device.badCharacters', { name }))
  }
  return encodeURIComponent(value)
}
