import type { OutputLine, Reading } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { DeviceClient } from './client.ts'
import { commandMayCutLink } from './console/consoleGuard.ts'
import { findEndpoint, type DeviceEndpoint } from './endpoints.ts'
import type { CallOptions } from './wire.ts'

export interface InvokeInput {
  params?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
}

/** Throws INVALID_REQUEST for an undocumented id. */
export function deviceOperationMutates(operationId: string): boolean {
  return findEndpoint(operationId).mutates
}

/** Whether it can cut the connection to the device. Throws INVALID_REQUEST for an undocumented id. */
export function deviceOperationCutsLink(operationId: string, { body }: InvokeInput): boolean {
  const isCommand = typeof body === 'object' && body !== null && 'command' in body && typeof body.command === 'string'
  return (
    findEndpoint(operationId).cutsLink ||
    (operationId === 'exec.run' && isCommand && commandMayCutLink(body.command as string))
  )
}

/**
 * One documented operation by its id; a wrong input is INVALID_REQUEST and nothing is sent. It never switches an output
 * on.
 */
export async function invokeDevice(
  client: DeviceClient,
  operationId: string,
  input: InvokeInput = {},
  options: CallOptions = {}
): Promise<Reading<unknown>> {
  const endpoint = findEndpoint(operationId)
  const merged = { ...readParams(endpoint, input.params ?? {}), ...readBody(endpoint, input.body) }
  if (operationId === 'io.setOutput' && merged.state === true) {
    throw new AppError('INTERLOCK', message('device.onlyOutputTest'))
  }
  const [area = '', verb = ''] = operationId.split('.')
  const methods = client[area as keyof DeviceClient] as unknown as Record<string, Method | undefined>
  const method = methods[verb]
  if (!method) throw new AppError('INTERNAL', message('device.noMethod', { operation: operationId }))
  const takesInput = endpoint.params.length + endpoint.body.length > 0
  return takesInput ? method(merged, options) : method(options)
}

type Method = (...args: unknown[]) => Promise<Reading<unknown>>

/** The output of an `io.setOutput` input; INVALID_REQUEST for an undocumented input. */
export function readOutputInput(input: InvokeInput): { out: OutputLine; state: boolean } {
  const endpoint = findEndpoint('io.setOutput')
  const { out, state } = { ...readParams(endpoint, input.params ?? {}), ...readBody(endpoint, input.body) }
  return { out: out as OutputLine, state: state === true }
}

function readParams(endpoint: DeviceEndpoint, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  checkNames(endpoint, 'parameter', given, endpoint.params, endpoint.optionalParams)
  const params: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    params[name] = endpoint.id === 'io.setOutput' ? readOutputParam(name, value) : readText(endpoint, name, value)
  }
  return params
}

/**
 * The lists that the maker publishes for the engine bus leave out documented fields, and have others for accessories.
 */
const lessOrMore: Readonly<Record<string, { optional?: readonly string[]; more?: readonly string[] }>> = {
  'ecu.addParameter': {
    optional: ['PGN', 'PRIORITY', 'OFFSET'],
    more: ['CAN_ID', 'SOURCE_INTERFACE', 'ACCESSORY_TYPE', 'REVERSED']
  }
}

function readBody(endpoint: DeviceEndpoint, given: unknown): Record<string, unknown> {
  if (given === undefined && endpoint.body.length === 0) return {}
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))) {
    throw invalid(endpoint, message('device.bodyObject'))
  }
  const fields = (given ?? {}) as Record<string, unknown>
  const { optional = [], more = [] } = lessOrMore[endpoint.id] ?? {}
  const known = [...endpoint.body, ...more]
  checkNames(endpoint, 'bodyField', fields, known, [...optional, ...more])
  return Object.fromEntries(
    known.filter((name) => fields[name] !== undefined).map((name) => [name, readField(endpoint, name, fields[name])])
  )
}

/** All documented body fields are strings, except two. */
function readField(endpoint: DeviceEndpoint, name: string, value: unknown): unknown {
  if (endpoint.id === 'accel.autoAlignment') {
    if (typeof value !== 'boolean') throw invalid(endpoint, message('device.hasToBeFlag', { name }))
    return value
  }
  if (endpoint.id === 'ecu.addParameter' && name === 'OFFSET') {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw invalid(endpoint, message('device.hasToBeNumber', { name }))
    return value
  }
  if (typeof value !== 'string') throw invalid(endpoint, message('device.hasToBeText', { name }))
  return value
}

function readText(endpoint: DeviceEndpoint, name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(endpoint, message('device.hasToBeText', { name }))
  if (value === '' && !endpoint.optionalParams.includes(name))
    throw invalid(endpoint, message('device.hasToBeGiven', { name }))
  return value
}

function readOutputParam(name: string, value: unknown): string | boolean {
  const text = String(value)
  if (name === 'out') {
    // The document names the outputs OUT1..OUT4 and, in the description of the parameter, 1..4.
    const line = /^(?:OUT)?([1-4])$/i.exec(text)?.[1]
    if (line) return `OUT${line}`
    throw new AppError('INVALID_REQUEST', message('device.outHasToBe'))
  }
  if (text === 'true' || text === 'false') return text === 'true'
  throw new AppError('INVALID_REQUEST', message('device.stateHasToBe'))
}

function checkNames(
  endpoint: DeviceEndpoint,
  kind: 'parameter' | 'bodyField',
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
  optional: readonly string[]
): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  const missing = known.filter(
    (name) => !optional.includes(name) && (!Object.hasOwn(given, name) || given[name] === undefined)
  )
  if (unknown.length > 0) {
    const names = unknown.join(', ').slice(0, 100)
    throw invalid(
      endpoint,
      known.length === 0
        ? message('device.takesNone', { kind, names })
        : message('device.takesOthers', { kind, names, known: known.join(', ') })
    )
  }
  if (missing.length > 0) throw invalid(endpoint, message('device.missing', { kind, names: missing.join(', ') }))
}

function invalid({ id }: DeviceEndpoint, what: Message): AppError {
  return new AppError('INVALID_REQUEST', message('device.invalidInput', { operation: id, what }))
}
