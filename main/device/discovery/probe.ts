import { request } from 'node:http'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { namesOf } from '../../base/reading/formTable.ts'

export interface ProbeTarget {
  host: string
  port: number
  /** The IMEI in the host's name, if known. */
  imei?: string | null
  /** The local address for the connection; undefined: chosen by the system. */
  from?: string | undefined
}

/**
 * device: `/system-info` answered with a name. needsSignIn: 401 with a JSON body. wrongService: something else answers.
 * unreachable: nothing answers (`refused` when the host rejected the connection, `isConnected` when it accepted it and
 * was silent).
 */
export type ProbeResult =
  | DeviceAnswer
  | { kind: 'needsSignIn' }
  | { kind: 'wrongService'; detail: Message }
  | { kind: 'unreachable'; detail: Message; refused: boolean; isConnected?: true }

export interface DeviceAnswer {
  kind: 'device'
  hostname: string
  osVersion: string | null
  /** When it started, by the monotonic clock of this computer. */
  upSinceMs?: number
  /** The address of its link as it names it. */
  linkAddress?: string
  /** It answered to the credentials of the person who selected it. */
  isSignedIn?: true
}

export type Probe = (target: ProbeTarget, signal: AbortSignal) => Promise<ProbeResult>

const versionNames = namesOf('system.info', 'osVersion')
export const probeLimitMs = 2000
const longestBody = 256 * 1024
const tooLongCode = 'TOO_LONG'

interface HttpAnswer {
  status: number
  body: string
}

function get(target: ProbeTarget, signal: AbortSignal, connected: () => void): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: target.host,
        port: target.port,
        path: '/system-info',
        agent: false,
        signal,
        ...(target.from === undefined ? {} : { localAddress: target.from }),
        headers: { accept: 'application/json' }
      },
      (answer) => {
        const chunks: Buffer[] = []
        let size = 0
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > longestBody)
            sent.destroy(Object.assign(new Error('The answer is too long.'), { code: tooLongCode }))
          else chunks.push(chunk)
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') })
        )
        answer.on('error', reject)
      }
    )
    sent.on('socket', (socket) => socket.once('connect', connected))
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
    return { kind: 'wrongService', detail: message('discovery.statusWithoutJson', { status }) }
  }
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  if (status === 401 && isObject) return { kind: 'needsSignIn' }
  if (status !== 200 || !isObject) return { kind: 'wrongService', detail: message('discovery.otherStatus', { status }) }
  const answer = json as Record<string, unknown>
  const { hostname, uptime, netLink } = answer
  const osVersion = versionNames.map((name) => answer[name]).find((version) => typeof version === 'string')
  if (typeof hostname !== 'string' || hostname === '')
    return { kind: 'wrongService', detail: message('discovery.namesNoHost') }
  return {
    kind: 'device',
    hostname: hostname.slice(0, 255),
    osVersion: typeof osVersion === 'string' ? osVersion.slice(0, 100) : null,
    ...readStart(uptime, netLink)
  }
}

/** What tells two devices of one name apart (device API, "System information"). */
export function readStart(uptimeS: unknown, netLink: unknown): Pick<DeviceAnswer, 'upSinceMs' | 'linkAddress'> {
  const { ip } = (typeof netLink === 'object' ? (netLink ?? {}) : {}) as { ip?: unknown }
  return {
    ...(typeof uptimeS === 'number' && Number.isFinite(uptimeS)
      ? { upSinceMs: performance.now() - uptimeS * 1000 }
      : {}),
    ...(typeof ip === 'string' && ip !== '' ? { linkAddress: ip.slice(0, 45) } : {})
  }
}

/**
 * `GET /system-info` without credentials, 2 s at most. Throws only CANCELLED, when `signal` aborts; every behaviour of
 * the other side is a value.
 */
export async function probeDevice(target: ProbeTarget, signal: AbortSignal): Promise<ProbeResult> {
  const limit = AbortSignal.timeout(probeLimitMs)
  let isConnected = false
  try {
    const answer = await get(target, AbortSignal.any([signal, limit]), () => (isConnected = true))
    return readProbeAnswer(answer.status, answer.body)
  } catch (cause) {
    if (signal.aborted) throw new AppError('CANCELLED', message('discovery.noLongerAsked'), { cause })
    if (limit.aborted)
      return {
        kind: 'unreachable',
        detail: message('discovery.noAnswerIn', { limitMs: probeLimitMs }),
        refused: false,
        ...(isConnected ? { isConnected } : {})
      }
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    if (code === 'ECONNREFUSED')
      return { kind: 'unreachable', detail: message('discovery.portClosed', { port: target.port }), refused: true }
    if (code === tooLongCode) return { kind: 'wrongService', detail: message('discovery.answerTooLong') }
    if (code.startsWith('HPE_') || code === 'ECONNRESET')
      return { kind: 'wrongService', detail: message('discovery.noWebService') }
    return {
      kind: 'unreachable',
      detail:
        code === 'EHOSTUNREACH' || code === 'ENETUNREACH'
          ? message('discovery.noWay')
          : message('discovery.doesNotAnswer'),
      refused: false
    }
  }
}
