import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { whyBodyIsWrong } from './bodies.ts'
import { answerInstead, sendAnswer, sendSpoiled } from './faultyReply.ts'
import { handlers, unauthorizedAnswer, type Answer } from './handlers.ts'
import { matchOperation, type DeviceOperation } from './operations.ts'
import { redactPath, type RecordedRequest, type Violation } from './record.ts'
import type { Unit } from './unit.ts'

export interface DeviceServerOptions {
  host: string
  /** 0 for any free port. */
  port?: number
  openSystemInfo?: boolean
  slowMs?: number
  /** The number of requests that are still answered with the fault `stopsAnswering`. */
  stopsAfterRequests?: number
}

const largestBodyBytes = 64 * 1024

/** Serves the documented API of one device; resolves when it listens. */
export async function startDeviceServer(
  unit: Unit,
  options: DeviceServerOptions
): Promise<{ port: number; stop: () => Promise<void> }> {
  let answered = 0
  const timers = new Set<NodeJS.Timeout>()

  const server = createServer((request, response) => {
    response.on('error', () => response.destroy())
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? ''
    const url = request.url ?? ''
    const [path = '', query] = url.split('?')
    const match = matchOperation(method, path)
    const operation = match.found === 'operation' ? match.operation : undefined
    const entry = recordRequest(unit, request, operation)
    const violate = (kind: Violation['kind'], why: string) =>
      unit.record.addViolation({ at: entry.at, kind, method, path: entry.path, why })
    response.on('finish', () => {
      entry.status = response.statusCode
    })

    const body = await readBody(request)
    const faults = unit.faults
    if (faults.has('stopsAnswering') && answered++ >= (options.stopsAfterRequests ?? 3)) return
    if (!faults.has('stopsAnswering')) answered = 0
    if (faults.has('slow', operation?.id)) await wait(options.slowMs ?? 3000, timers)
    if (answerInstead(response, faults, operation?.id ?? '')) return

    const isOpen = operation?.id === 'system.info' && options.openSystemInfo
    if (!isOpen && !hasCredentials(unit, request)) {
      sendAnswer(response, unauthorizedAnswer())
      return
    }
    if (match.found !== 'operation') {
      violate('undocumented', match.found === 'otherMethod' ? 'this path has another method' : 'no such path')
      const status = match.found === 'otherMethod' ? 405 : 404
      sendAnswer(response, { status, body: { error: status === 405 ? 'Method not allowed' : 'Not found' } })
      return
    }
    const wrong =
      query === undefined ? whyRequestIsWrong(match.operation, request, body) : 'the API has no query parameters'
    if (wrong) {
      violate('undocumented', wrong)
      sendAnswer(response, { status: 400, body: { error: wrong } })
      return
    }
    const reply = handle(match.operation, match.params, body, violate)
    sendSpoiled(response, faults, match.operation.id, reply)
  }

  function handle(
    operation: DeviceOperation,
    params: Record<string, string>,
    body: Body,
    violate: (kind: Violation['kind'], why: string) => void
  ): Answer {
    const handler = handlers[operation.id]
    if (!handler) return { status: 500, body: { error: `No handler for ${operation.id}` } }
    return handler({ unit, params, body: body.json, violate })
  }

  await listen(server, options.host, options.port ?? 0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer)
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

interface Body {
  bytes: number
  isJson: boolean
  json: unknown
}

function recordRequest(unit: Unit, request: IncomingMessage, operation: DeviceOperation | undefined): RecordedRequest {
  return unit.record.addRequest({
    at: new Date(unit.vehicle.now()).toISOString(),
    method: request.method ?? '',
    path: redactPath(request.url ?? ''),
    operation: operation?.id ?? null,
    status: null,
    hadCredentials: request.headers.authorization !== undefined
  })
}

function hasCredentials(unit: Unit, request: IncomingMessage): boolean {
  const expected = `Basic ${Buffer.from(`${unit.user}:${unit.password}`).toString('base64')}`
  return request.headers.authorization === expected
}

function whyRequestIsWrong(operation: DeviceOperation, request: IncomingMessage, body: Body): string | undefined {
  if (!operation.hasBody) return body.bytes > 0 ? 'this operation has no body' : undefined
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return 'a body is sent as application/json'
  if (body.bytes > largestBodyBytes) return 'the body is larger than 64 KiB'
  if (!body.isJson) return 'the body is not JSON'
  return whyBodyIsWrong(operation.id, body.json)
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes <= largestBodyBytes) chunks.push(chunk)
    }
    return { bytes, isJson: true, json: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown }
  } catch {
    // Truncated or not JSON: the caller gets an error where a body is required.
    return { bytes, isJson: false, json: undefined }
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function wait(ms: number, timers: Set<NodeJS.Timeout>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      resolve()
    }, ms)
    timers.add(timer)
  })
}
