import table from '../../../../resources/endpoints.json' with { type: 'json' }

/** One line of resources/endpoints.json. */
export interface Endpoint {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Relative to the base address, with `:name` for the parameters. */
  path: string
  query: readonly string[]
  body: readonly string[]
  /** False for the sign-in only. */
  isAuthenticated: boolean
  isPaginated: boolean
  maxSet: number
  /** Changes something, whatever its method. */
  mutates: boolean
  /** Not in the endpoint table of the document, only implied by its conventions: expect a 404. */
  isImplied: boolean
}

interface Line {
  id: string
  method: string
  path: string
  query?: string[]
  body?: string[]
  auth?: boolean
  paginated?: boolean
  maxSet?: number
  mutates: boolean
  implied?: boolean
}

function endpointFrom(line: Line): Endpoint {
  return {
    id: line.id,
    method: line.method as Endpoint['method'],
    path: line.path,
    query: line.query ?? [],
    body: line.body ?? [],
    isAuthenticated: line.auth ?? true,
    isPaginated: line.paginated ?? false,
    maxSet: line.maxSet ?? 1000,
    mutates: line.mutates,
    isImplied: line.implied ?? false
  }
}

export const gatewayEndpoints: ReadonlyMap<string, Endpoint> = new Map(
  (table.gateway as Line[]).map((line) => [line.id, endpointFrom(line)])
)
export const engineEndpoints: ReadonlyMap<string, Endpoint> = new Map(
  (table.engine as Line[]).map((line) => [line.id, endpointFrom(line)])
)

/** Operations that follow only from the conventions ("Conventions" 2 and 3): no terminal command reaches them. */
export const undocumentedEndpoints: ReadonlyMap<string, Endpoint> = new Map([
  [
    'vehicles.assignDevice',
    endpointFrom({ id: 'vehicles.assignDevice', method: 'PUT', path: '/vehicles/:id', body: ['device'], mutates: true })
  ]
])
