import table from '../../resources/endpoints.json' with { type: 'json' }
import type { Endpoint } from './call.ts'

interface Listed {
  id: string
  method: string
  path: string
  auth?: boolean
  implied?: boolean
  paginated?: boolean
}

export const listedEndpoints: readonly Listed[] = table.gateway

export interface Match {
  endpoint: Endpoint
  listed: Listed
  params: Record<string, string>
}

export type Router = (method: string, path: string, query: URLSearchParams) => Match | 'method' | undefined

/** Finds the endpoint of a request; `method` if the path exists only with another method. */
export function createRouter(endpoints: readonly Endpoint[]): Router {
  const routes = listedEndpoints.flatMap((listed) => {
    const endpoint = endpoints.find((candidate) => candidate.id === listed.id)
    return endpoint ? [{ listed, endpoint, ...compilePath(listed.path) }] : []
  })
  return (method, path, query) => {
    const onPath = routes.filter((route) => route.pattern.test(path))
    const candidates = onPath.filter((route) => route.listed.method === method)
    if (candidates.length === 0) return onPath.length > 0 ? 'method' : undefined
    const literal = [...candidates].sort((a, b) => a.names.length - b.names.length)
    const best = literal.filter((route) => route.names.length === literal[0]?.names.length)
    const bare = [...query.keys()].every((name) => name === 'tz')
    const chosen = best.find((route) => /\.(keys|describe)$/.test(route.listed.id) === bare) ?? best[0]
    if (!chosen) return undefined
    const values = chosen.pattern.exec(path)?.slice(1) ?? []
    const params = Object.fromEntries(chosen.names.map((name, index) => [name, decode(values[index] ?? '')]))
    return { endpoint: chosen.endpoint, listed: chosen.listed, params }
  }
}

function compilePath(path: string): { pattern: RegExp; names: string[] } {
  const names: string[] = []
  const source = path.replace(/[.]/g, '\\.').replace(/:(\w+)/g, (_, name: string) => {
    names.push(name)
    return '([^/]+)'
  })
  return { pattern: new RegExp(`^${source}$`), names }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
