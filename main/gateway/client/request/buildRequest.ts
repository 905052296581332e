import { message, type Message } from '../../../../preload/contract/messages.ts'
import { documentedInputs, type DocumentedInputs, type Field } from './documentedInputs.ts'
import type { Endpoint } from './endpointTable.ts'
import { checkBodyField, encodeField, encodeSearch } from './fieldKinds.ts'
import { checkLocalRules } from './localRules.ts'
import { refuseRequest } from '../transport/refuse.ts'

/** Inputs of one operation under their documented names: path, query and body together. */
export type Input = Readonly<Record<string, unknown>>

export interface BuiltRequest {
  method: string
  /** The documented path with its values, without base address and query. */
  path: string
  query: string
  body: string | undefined
  /** Passwords and tokens in the input, so that no message shows them. */
  secrets: string[]
}

/**
 * Builds the request of an operation; INVALID_REQUEST for names, values and combinations that the document does not
 * allow.
 */
export function buildRequest(endpoint: Endpoint, input: Input): BuiltRequest {
  const inputs = documentedInputs(endpoint)
  const given = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const search = takeSearch(given, inputs)
  for (const name of given.keys()) {
    if (!inputs.path.has(name) && !inputs.query.has(name) && !inputs.body.has(name)) {
      throw refuseRequest(
        message('gatewayCall.unknownName', { operation: endpoint.id, name, takes: describeInputs(endpoint) })
      )
    }
  }
  requireAll(endpoint, inputs, given)

  const path = endpoint.path.replaceAll(/:([a-z_]+)/g, (_, name: string) =>
    encodePathPart(name, encodeField(name, inputs.path.get(name)?.kind ?? 'text', given.get(name)))
  )
  const query: [string, string][] = [...search]
  for (const [name, field] of inputs.query) {
    // Names such as `time` may be in both query and body; a path name is never also a query name.
    if (given.has(name) && !inputs.path.has(name)) query.push([name, encodeField(name, field.kind, given.get(name))])
  }
  const body: Record<string, unknown> = {}
  for (const [name, field] of inputs.body) {
    if (!given.has(name) || inputs.path.has(name)) continue
    checkBodyField(name, field.kind, given.get(name))
    body[name] = given.get(name)
  }
  checkLocalRules(endpoint, { query: new Map(query), body })
  return {
    method: endpoint.method,
    path,
    query: query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&'),
    body: inputs.hasBody ? JSON.stringify(body) : undefined,
    secrets: ['password', 'auth', 'token'].map((name) => given.get(name)).filter((value) => typeof value === 'string')
  }
}

export function describeInputs(endpoint: Endpoint): Message {
  const inputs = documentedInputs(endpoint)
  const names = (fields: ReadonlyMap<string, Field>): string[] =>
    [...fields].map(([name, field]) => (field.isRequired ? name : `${name}?`))
  const parameters = [
    ...names(inputs.path),
    ...names(inputs.query),
    ...(inputs.hasSearch ? ['search.<key>?'] : [])
  ].join(', ')
  const body = names(inputs.body).join(', ')
  if (parameters !== '' && body !== '') return message('gatewayCall.takesBoth', { parameters, body })
  if (parameters !== '') return message('gatewayCall.takesParameters', { parameters })
  return body === '' ? message('gatewayCall.takesNothing') : message('gatewayCall.takesBody', { body })
}

function takeSearch(given: Map<string, unknown>, inputs: DocumentedInputs): [string, string][] {
  const found: [string, string][] = []
  const search = given.get('search')
  if (inputs.hasSearch && search !== undefined) {
    if (search === null || typeof search !== 'object' || Array.isArray(search)) {
      throw refuseRequest(message('gatewayCall.searchForm'))
    }
    given.delete('search')
    for (const [key, value] of Object.entries(search)) {
      if (value !== undefined) found.push([searchName(key), encodeSearch(`search.${key}`, value)])
    }
  }
  if (inputs.hasSearch) {
    for (const [name, value] of [...given]) {
      if (!name.startsWith('search.')) continue
      given.delete(name)
      found.push([searchName(name.slice('search.'.length)), encodeSearch(name, value)])
    }
  }
  return found
}

function searchName(key: string): string {
  if (!/^[^\s.&=?#]+(\.[^\s.&=?#]+)*$/.test(key)) throw refuseRequest(message('gatewayCall.noKeyPath', { key }))
  return `search.${key}`
}

function requireAll(endpoint: Endpoint, inputs: DocumentedInputs, given: Map<string, unknown>): void {
  for (const fields of [inputs.path, inputs.query, inputs.body]) {
    for (const [name, field] of fields) {
      if (field.isRequired && !given.has(name))
        throw refuseRequest(
          message('gatewayCall.needs', { operation: endpoint.id, name, takes: describeInputs(endpoint) })
        )
    }
  }
}

function encodePathPart(name: string, text: string): string {
  if (text === '.' || text === '..') throw refuseRequest(message('gatewayCall.mustNotBe', { name, text }))
  // A colon needs no escape in a path, and not every server decodes it in a MAC address.
  return encodeURIComponent(text).replaceAll('%3A', ':')
}
