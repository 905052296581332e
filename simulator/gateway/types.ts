import type { FrontName } from './fronts.ts'
import type { SimulatedForm } from '../forms.ts'
import type { Camera } from '../vehicle/accessories.ts'

/** One limit: the number of requests of a user per window. The window opens with its first request. */
export interface RateTier {
  requests: number
  perSeconds: number
}

export interface GatewayDeviceOptions {
  imei: string
  model: string
  iccid: string
  lat: number
  lon: number
}

export interface GatewayOptions {
  /** Address to listen on; default 127.0.0.1, always a free port. */
  host?: string
  seed?: number
  /** How it speaks where the API document leaves a field open; default `document`. */
  form?: SimulatedForm
  devices: GatewayDeviceOptions[]
  /** Delay between a report and its visibility; default 800. */
  delayMs?: number
  /** A `normal` session ends after this time without a request; default 60 minutes. */
  tokenIdleMs?: number
  /**
   * Per user. `data` is rawdata, counters and trips (default 30 per minute), `other` the rest (default 100 per minute).
   */
  rateTiers?: { data?: RateTier[]; other?: RateTier[] }
  /** Vehicles in addition to those of `devices`; default 30. */
  vehicles?: number
  /** The vehicles of `devices` have nearly two years of history; default false. */
  history?: boolean
  /** Clock of the gateway, Unix milliseconds; default `Date.now`. */
  now?: () => number
  /** An answered GET gets the same answer for this time, keyed on the request; default 0 (no cache). */
  readCacheMs?: number
  /** False: GET /assets, /triggers and /tasks, which the document only implies, answer 404; default true. */
  impliedLists?: boolean
  /** The distance that users chose in their preferences; default km. */
  distance?: 'km' | 'mile'
  /** Delay between a photo command and the photo; default 2500. */
  photoMs?: number
}

/**
 * The fault of a request. Without `after` it has no effect; `resetAfter` and `truncated` apply it and break the reply.
 */
export interface Fault {
  /** Answers with this status; with `after: true` the effect is applied anyway. */
  status?: 400 | 401 | 403 | 404 | 409 | 429 | 500
  /** 200 with an HTML page, like a captive portal. */
  html?: boolean
  /** Something before the gateway answers, or the gateway does no work at all. */
  front?: FrontName
  /** With `front`: the header Retry-After, in seconds or as a date. */
  retryAfter?: string
  /** The effect is applied; the JSON of the reply is truncated. */
  truncated?: boolean
  /** There is never an answer. */
  hang?: boolean
  /** The connection is reset without an effect. */
  resetBefore?: boolean
  resetAfter?: boolean
  /** With `status`, `html` or `hang`: the effect is applied first. */
  after?: boolean
  /** The connection is reset at once, and the effect is applied this much later. */
  lateMs?: number
  /** A proxy sends the request twice; the client sees the first answer. */
  twice?: boolean
  /** Id of resources/endpoints.json; any operation if omitted. */
  operation?: string
  /** Only requests whose path or body has this text. */
  mentions?: string
  /** How often; forever if omitted. */
  times?: number
  /** With `status` 429: seconds until requests may resume; default 2. */
  resetAfterS?: number
}

export interface Violation {
  at: string
  method: string
  path: string
  why: string
}

export interface RequestRecord {
  at: string
  /** Id of resources/endpoints.json; null for an unknown endpoint. */
  operation: string | null
  method: string
  /** With the query; tokens are masked. */
  path: string
  body: unknown
  status: number | null
}

export interface GatewayAccount {
  user: string
  password: string
  role: 'installer' | 'viewer' | 'outsider' | 'support'
}

/** The cameras in the vehicle of a device; none when it has no accessory of this kind. */
export type CameraLook = (imei: string) => readonly Camera[]
