import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { describeInputs } from './buildRequest.ts'
import type { CallOptions, GatewayReading } from '../transport/caller.ts'
import type { EngineClient, GatewayClient } from '../client.ts'
import { documentedInputs } from './documentedInputs.ts'
import { engineEndpoints, gatewayEndpoints, type Endpoint } from './endpointTable.ts'
import { readAllPages, type FetchPage } from '../transport/paging.ts'
import { hideSecretsInJson } from '../transport/redact.ts'
import { refuseRequest } from '../transport/refuse.ts'

export interface InvokeInput {
  /** Path and query inputs; text from a terminal is converted. */
  params?: Readonly<Record<string, unknown>>
  body?: unknown
}
export interface InvokeOptions extends CallOptions {
  /** Reads all pages: `value` is the list of all items. */
  all?: boolean
}

/** Undefined for an unknown id. */
export function isMutating(operationId: string): boolean | undefined {
  return (gatewayEndpoints.get(operationId) ?? engineEndpoints.get(operationId))?.mutates
}

/** Whether the operation belongs to a report job engine, which has its own address and no sign-in. */
export function isOfEngine(operationId: string): boolean {
  return engineEndpoints.has(operationId)
}

/** Runs one operation of a report job engine by its id. The result never contains a token of the job. */
export async function invokeEngine(
  client: EngineClient,
  operationId: string,
  input: InvokeInput = {},
  options: CallOptions = {}
): Promise<GatewayReading<unknown>> {
  const endpoint = engineEndpoints.get(operationId)
  if (!endpoint) throw refuseRequest(unknownOperation(operationId))
  const merged = merge(endpoint, input)
  const reading = await methodOf(client, endpoint)(merged, options)
  const secrets = tokensIn(merged['configuration'])
  return { ...reading, value: hideSecretsInJson(reading.value, secrets), raw: hideSecretsInJson(reading.raw, secrets) }
}

type Method = (input: object, options: CallOptions) => Promise<GatewayReading<unknown>>

/**
 * Runs one operation by its id (`gateway call`). INVALID_REQUEST with the documented list; the session's own token is
 * left out. It never switches an output on.
 */
export async function invokeGateway(
  client: GatewayClient,
  operationId: string,
  input: InvokeInput = {},
  options: InvokeOptions = {}
): Promise<GatewayReading<unknown>> {
  const endpoint = gatewayEndpoints.get(operationId)
  if (!endpoint) throw refuseRequest(unknownOperation(operationId))
  const merged = merge(endpoint, input)
  if (operationId === 'remote.output' && merged['state'] !== undefined && String(merged['state']) !== 'false')
    throw new AppError('INTERLOCK', message('device.onlyOutputTest'))
  const method = methodOf(client, endpoint)
  const { all, ...callOptions } = options
  if (all) {
    if (!endpoint.isPaginated) throw refuseRequest(message('gatewayCall.noPages', { operation: endpoint.id }))
    return hidden(client, endpoint, await invokeAll(endpoint, method, merged, callOptions))
  }
  return hidden(client, endpoint, asAnswered(await method(merged, callOptions)))
}

/** The client reads a plain list as a page of items; a caller by id gets the documented list. */
function asAnswered(reading: GatewayReading<unknown>): GatewayReading<unknown> {
  return Array.isArray(reading.raw) && isListPage(reading.value) ? { ...reading, value: reading.value.data } : reading
}

function isListPage(value: unknown): value is { data: unknown[] } {
  return typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)
}

function merge(endpoint: Endpoint, input: InvokeInput): Record<string, unknown> {
  const inputs = documentedInputs(endpoint)
  const params = input.params ?? {}
  for (const name of Object.keys(params)) {
    const isSearch = inputs.hasSearch && (name === 'search' || name.startsWith('search.'))
    if (inputs.path.has(name) || inputs.query.has(name) || isSearch) continue
    const what = { operation: endpoint.id, name, takes: describeInputs(endpoint) }
    throw refuseRequest(
      inputs.body.has(name) ? message('gatewayCall.belongsIntoBody', what) : message('gatewayCall.noParameter', what)
    )
  }
  if (input.body === undefined || input.body === null) return { ...params }
  if (typeof input.body !== 'object' || Array.isArray(input.body))
    throw refuseRequest(
      message('gatewayCall.bodyIsObject', { operation: endpoint.id, takes: describeInputs(endpoint) })
    )
  for (const name of Object.keys(input.body)) {
    if (!inputs.body.has(name))
      throw refuseRequest(
        message('gatewayCall.notInBody', { operation: endpoint.id, name, takes: describeInputs(endpoint) })
      )
    // A path name may also be a body name; then the body would silently be lost.
    if (inputs.path.has(name) && name in params)
      throw refuseRequest(message('gatewayCall.givenTwice', { name, operation: endpoint.id }))
  }
  return { ...params, ...input.body }
}

async function invokeAll(
  endpoint: Endpoint,
  method: Method,
  input: Record<string, unknown>,
  options: CallOptions
): Promise<GatewayReading<unknown>> {
  if (input['page'] !== undefined) throw refuseRequest(message('gatewayCall.pageAndAll'))
  const set = input['set'] === undefined ? endpoint.maxSet : Number(input['set'])
  if (!Number.isInteger(set) || set < 1 || set > endpoint.maxSet)
    throw refuseRequest(message('gatewayCall.setRange', { most: endpoint.maxSet }))
  const started = performance.now()
  const all = await readAllPages((where) => method({ ...input, ...where }, options) as ReturnType<FetchPage<unknown>>, {
    set
  })
  return {
    operation: endpoint.id,
    status: all.last?.status ?? 200,
    value: all.items,
    problems: all.problems,
    raw: all.items,
    readAt: all.last?.readAt ?? new Date().toISOString(),
    elapsedMs: Math.round(performance.now() - started),
    rateLimit: all.last?.rateLimit ?? null
  }
}

function methodOf(client: object, endpoint: Endpoint): Method {
  const [area = '', verb = ''] = endpoint.id.split('.')
  const areas = client as Record<string, Record<string, Method> | undefined>
  const method = areas[area]?.[verb]
  if (!method) throw refuseRequest(unknownOperation(endpoint.id))
  return method
}

/** Session tokens are not for screens and files; only a token that was created for someone else by name is shown. */
function hidden(client: GatewayClient, endpoint: Endpoint, reading: GatewayReading<unknown>): GatewayReading<unknown> {
  const secrets = client.secrets()
  if (endpoint.id === 'session.login' || endpoint.id === 'session.list') secrets.push(...tokensIn(reading.raw))
  return { ...reading, value: hideSecretsInJson(reading.value, secrets), raw: hideSecretsInJson(reading.raw, secrets) }
}

function tokensIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, item]) =>
    (key === 'auth' || key === 'token' || key === 'api_token') && typeof item === 'string' ? [item] : tokensIn(item)
  )
}

function unknownOperation(id: string): Message {
  const all = [...gatewayEndpoints.keys(), ...engineEndpoints.keys()]
  const near = all.filter((known) => known.split('.')[0] === id.split('.')[0])
  const list = near.length > 0 ? near : all
  return message('gatewayCall.noGatewayOperation', { operation: id.slice(0, 60), known: list.join(', ') })
}
