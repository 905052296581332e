import endpoints from '../../resources/endpoints.json' with { type: 'json' }

/** One documented operation of the device API. */
export interface DeviceOperation {
  id: string
  method: string
  path: string
  hasBody: boolean
}

export const deviceOperations: DeviceOperation[] = endpoints.device.map((entry) => ({
  id: entry.id,
  method: entry.method,
  path: entry.path,
  hasBody: 'body' in entry
}))

export type Match =
  | { found: 'operation'; operation: DeviceOperation; params: Record<string, string> }
  | { found: 'otherMethod' }
  | { found: 'nothing' }

/** Finds the documented operation of a request; letter case and slashes must match the document. */
export function matchOperation(method: string, path: string): Match {
  let isPathKnown = false
  for (const operation of deviceOperations) {
    const params = matchPath(operation.path, path)
    if (!params) continue
    if (operation.method === method) return { found: 'operation', operation, params }
    isPathKnown = true
  }
  return { found: isPathKnown ? 'otherMethod' : 'nothing' }
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  const required = wanted.filter((part) => !part.endsWith('?')).length
  if (given.length < required || given.length > wanted.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of given.entries()) {
    const name = wanted[index] ?? ''
    if (!name.startsWith(':')) {
      if (name !== part) return undefined
      continue
    }
    const value = decodeSegment(part)
    if (!value) return undefined
    params[name.slice(1).replace('?', '')] = value
  }
  return params
}

function decodeSegment(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    // A path with an invalid escape is undocumented.
    return undefined
  }
}
