import { request } from 'node:http'
import { AppError } from '../../preload/contract/errors.ts'

export interface ProbeTarget {
  host: string
  port: number
  /** The IMEI that the host's name carries, where it is known. */
  imei?: string | null
}

/**
 * device: `/system-info` answered and names itself. needsSignIn: 401 with a JSON body. wrongService: something else
 * answers there. unreachable: nothing answers (`refused` when the host itself said no).
 */
export type ProbeResult =
  | { kind: 'device'; hostname: string; osVersion: string | null }
  | { kind: 'needsSignIn' }
  | { kind: 'wrongService'; detail: string }
  | { kind: 'unreachable'; detail: string; refused: boolean }

export type Probe = (target: ProbeTarget, signal: AbortSignal) => Promise<ProbeResult>

export const probeLimitMs = 2000
const longestBody = 256 * 1024

interface HttpAnswer {
  status: number
  body: string
}

function get(target: ProbeTarget, signal: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: target.host, port: target.port, path: '/system-info', agent: false, signal, headers: { accept: 'application/json' } },
      (answer) => {
        const chunks: Buffer[] = []
        let size = 0
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > longestBody) sent.destroy(new Error('The answer is far longer than a device sends.'))
          else chunks.push(chunk)
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }))
        answer.on('error', reject)
      }
    )
    sent.on('error', reject)
    sent.end()
  })
}

/** Reads an answer of `GET /system-info` (device API, "System information" and "Errors"). */
export function readProbeAnswer(status: number, body: string): ProbeResult {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { kind: 'wrongService', detail: `It answers with status ${status} and no JSON.` }
  }
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  if (status === 401 && isObject) return { kind: 'needsSignIn' }
  if (status !== 200 || !isObject) return { kind: 'wrongService', detail: `It answers with status ${status}, not as a device does.` }
  const { hostname, osVersion } = json as { hostname?: unknown; osVersion?: unknown }
  if (typeof hostname !== 'string' || hostname === '') return { kind: 'wrongService', detail: 'Its answer names no host.' }
  return { kind: 'device', hostname: hostname.slice(0, 255), osVersion: typeof osVersion === 'string' ? osVersion.slice(0, 100) : null }
}

/**
 * `GET /system-info` without credentials, 2 s at most. Throws only CANCELLED, when `signal` aborts; everything that the
 * other side does is a value.
 */
export async function probeDevice(target: ProbeTarget, signal: AbortSignal): Promise<ProbeResult> {
  const limit = AbortSignal.timeout(probeLimitMs)
  try {
    const answer = await get(target, AbortSignal.any([signal, limit]))
    return readProbeAnswer(answer.status, answer.body)
  } catch (cause) {
    if (signal.aborted) throw new AppError('CANCELLED', 'The device is no longer asked.', { cause })
    if (limit.aborted) return { kind: 'unreachable', detail: `No answer within ${probeLimitMs / 1000} s.`, refused: false }
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    if (code === 'ECONNREFUSED') return { kind: 'unreachable', detail: `Port ${target.port} is closed.`, refused: true }
    if (code.startsWith('HPE_') || code === 'ECONNRESET') return { kind: 'wrongService', detail: 'What answers there is no web service.' }
    return { kind: 'unreachable', detail: code === 'EHOSTUNREACH' || code === 'ENETUNREACH' ? 'There is no way to that address.' : 'It does not answer.', refused: false }
  }
}
