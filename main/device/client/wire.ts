import type { z } from 'zod'
import { systemInfo, type Reading, type SystemInfo } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { parseDeviceName } from '../../../preload/contract/base/imei.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { fillPath, findEndpoint } from './endpoints.ts'
import { positionUnanswered, somethingElseAnswers, statusFailure, unreadableAnswer } from './failures.ts'
import type { IdentityProof } from './identity.ts'
import { maskSecrets, secretsIn } from './masking.ts'
import type { SentPasswords } from './sentPasswords.ts'
import { correctGpsEpoch } from './facts.ts'
import { readForm } from './forms.ts'
import { createSpeedUnit } from './speedUnit.ts'
import { readFields, readFieldsInTurns } from '../../base/reading/fields.ts'
import { parseWithDigits } from '../../base/reading/checkJson.ts'
import { isLarge, parseJson } from '../../base/reading/json.ts'
import { atMost, firstOf } from '../../base/time/pause.ts'
import type { DeviceQueue } from './queue.ts'
import type { Transport } from './transport.ts'
import { withoutMark } from '../../../preload/base/messages/utf8.ts'
import { markupIn } from '../../base/reading/markup.ts'

export interface Credentials {
  user: string
  password: string
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Takes it back as long as nothing of it has left; afterwards its answer is waited for. */
  untilSent?: AbortSignal | undefined
  /** Called right before the request leaves, after the queue and the proof of identity: it may still take it back. */
  beforeSent?: (() => void) | undefined
  /** Time limit from leaving the queue to the last byte of the answer. */
  timeoutMs?: number | undefined
  /**
   * Overtakes everything that waits or runs, on a separate connection: only for switching an output off and proving it.
   */
  overtakes?: boolean | undefined
}

export interface Input {
  params?: Readonly<Record<string, string | undefined>>
  body?: unknown
  /** The secrets of this input, which are removed from the answer. */
  secrets?: readonly (string | undefined)[]
  /** The passwords among them: the device may repeat them in any later answer. */
  passwords?: readonly (string | undefined)[]
  /** Used instead of the client's own. */
  credentials?: Credentials
  /** It can cut the connection to the device, whatever the table says. */
  cutsLink?: boolean
}

/** Sends the documented operations and parses their answers on arrival. */
export type Wire = ReturnType<typeof createWire>

/** A reading, successful or failed (`value` null). */
export interface DeviceRead {
  operation: string
  value: unknown
  /** The whole answer without secrets, the unreadable fields, and the length of its text. */
  raw: unknown
  problems: Message[]
  sizeBytes: number
  atMs: number
  elapsedMs: number | null
}

export interface WireOptions {
  label: string
  transport: Transport
  queue: DeviceQueue
  credentials: (() => Promise<Credentials | undefined>) | undefined
  timeoutMs: number | undefined
  onRead: ((read: DeviceRead) => void) | undefined
  sent: SentPasswords
  /** The expected device; undefined while unknown. */
  identity: IdentityProof | undefined
  assertLinkMayEnd: ((imei: string | null) => void) | undefined
}

const usualTimeoutMs = 5_000
/** These take time on the device: a scan of all channels, a shell command, a request to the update server. */
const slowTimeoutsMs = new Map([
  ['wifi.scan', 20_000],
  ['exec.run', 30_000],
  ['updates.osCheck', 20_000]
])
/** The message of an error is at its beginning. */
const mostErrorLetters = 100_000
const identityTimeoutMs = 4_000
/** Overtaking work waits no longer than this for a proof of identity while the last one is valid. */
const overtakingIdentityMs = 250

interface Answer {
  status: number
  text: string
  secrets: string[]
  elapsedMs: number
}

export function createWire(options: WireOptions) {
  const speedUnit = createSpeedUnit()
  const { label, transport, queue } = options

  async function ask(id: string, input: Input, call: CallOptions): Promise<Answer> {
    for (const password of input.passwords ?? []) options.sent.add(password)
    const endpoint = findEndpoint(id)
    const path = fillPath(endpoint, input.params ?? {})
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? slowTimeoutsMs.get(id) ?? usualTimeoutMs
    const credentials = input.credentials ?? (await options.credentials?.())
    const authorization = credentials && basicHeader(credentials)
    const signalUntilSent = firstOf(call.untilSent, call.signal)
    const work = async (): Promise<Answer> => {
      // In the same turn as the change: nothing can come between the proof and the change.
      if (endpoint.mutates && options.identity)
        await proveIdentity(options.identity, authorization, { ...call, signal: signalUntilSent })
      if (options.assertLinkMayEnd && (input.cutsLink ?? endpoint.cutsLink))
        options.assertLinkMayEnd(options.identity?.imei ?? (await readImei(authorization, call)))
      call.beforeSent?.()
      const startedAt = performance.now()
      const sending = transport.send({
        operation: id,
        mutates: endpoint.mutates,
        method: endpoint.method,
        path,
        body: input.body,
        authorization,
        timeoutMs,
        signal: call.signal,
        untilSent: call.untilSent
      })
      const answer = await sending.catch((error: unknown) => {
        throw onlyPositionSilent(id, error, startedAt) ?? error
      })
      queue.answered()
      const secrets = secretForms([
        ...(input.secrets ?? []),
        credentials?.password,
        authorization?.split(' ')[1],
        ...options.sent.long()
      ])
      return { ...answer, secrets, elapsedMs: Math.round(performance.now() - startedAt) }
    }
    const answer = await queue.run(work, {
      alone: endpoint.mutates,
      overtakes: call.overtakes,
      signal: signalUntilSent
    })
    const failure = statusFailure(answer.status, wordsOf(answer), {
      label,
      operation: id,
      mutates: endpoint.mutates,
      isPage: isWebPage(answer.text)
    })
    if (failure) throw failure
    return answer
  }

  /**
   * Some systems answer the position only once there is one. What else answers meanwhile shows that power and network
   * are right.
   */
  function onlyPositionSilent(id: string, error: unknown, startedAt: number): AppError | undefined {
    if (
      id !== 'gps.position' ||
      !(error instanceof AppError) ||
      error.code !== 'TIMEOUT' ||
      !queue.hasAnsweredSince(startedAt)
    )
      return undefined
    return positionUnanswered(error)
  }

  /** A change is sent only right after the device was confirmed to be the expected one. */
  async function proveIdentity(
    identity: IdentityProof,
    authorization: string | undefined,
    call: CallOptions
  ): Promise<void> {
    const proof = readHostname(authorization, call).then(identity.demand)
    if (!call.overtakes || !identity.isFresh()) return proof
    try {
      await atMost(overtakingIdentityMs, proof)
    } catch (error) {
      // A failed look proves nothing new; a different device that answers does.
      if (!(error instanceof AppError) || error.code === 'WRONG_DEVICE' || error.code === 'CANCELLED') throw error
    } finally {
      proof.catch(() => undefined)
    }
  }

  /** Of a device that is known by its address alone; null when it does not say. */
  async function readImei(authorization: string | undefined, call: CallOptions): Promise<string | null> {
    try {
      return parseDeviceName((await readHostname(authorization, call)) ?? '')?.imei ?? null
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
      return null
    }
  }

  async function readHostname(authorization: string | undefined, call: CallOptions): Promise<string | undefined> {
    const { path, method } = findEndpoint('system.info')
    const request = { label, operation: 'system.info', mutates: false }
    const { status, text } = await transport.send({
      ...request,
      method,
      path,
      body: undefined,
      authorization,
      timeoutMs: Math.min(identityTimeoutMs, call.timeoutMs ?? identityTimeoutMs),
      signal: call.signal
    })
    const failure = statusFailure(status, '', { ...request, isPage: isWebPage(text) })
    if (failure) throw failure
    const parsed = readFields(systemInfo, readSmallJson(text)?.value)
    return 'wanted' in parsed ? undefined : parsed.value.hostname
  }

  async function readOnce<S extends z.ZodType>(
    id: string,
    schema: S,
    call: CallOptions,
    input: Input
  ): Promise<{ read: Reading<z.output<S>>; sizeBytes: number }> {
    const answer = await ask(id, input, call)
    const request = { label, operation: id, mutates: findEndpoint(id).mutates }
    if (isWebPage(answer.text)) throw somethingElseAnswers(request, answer.status)
    const json = await readJson(answer.text)
    if (json === undefined) {
      const what = answer.text.trim() === '' ? message('device.emptyAnswer') : message('device.cutOff')
      throw unreadableAnswer(request, what, answer.status)
    }
    const form = readForm(id, json.value)
    if (id === 'gps.position') form.value = inKmh(form.value)
    const parsed = form.isNothingStored
      ? { value: {} as Reading<z.output<S>>['value'], problems: [] }
      : await (isLarge(answer.text) ? readFieldsInTurns(schema, form.value) : readFields(schema, form.value))
    if ('wanted' in parsed)
      throw unreadableAnswer(
        request,
        message('reading.otherKind', { wanted: parsed.wanted, seen: parsed.seen }),
        answer.status
      )
    if (id === 'system.info') options.identity?.heard((parsed.value as Partial<SystemInfo>).hostname)
    // Masked after parsing: a mask is text, and would make a field of the wrong type look right. An unknown field may
    // repeat the secret of a known one.
    const repeated = secretsIn(json.value)
    const value = maskSecrets(parsed.value, answer.secrets, repeated) as typeof parsed.value
    return {
      read: reading(
        id,
        answer,
        value,
        withForms(parsed.problems, form.problems),
        maskSecrets(json.value, answer.secrets, repeated)
      ),
      sizeBytes: answer.text.length
    }
  }

  function inKmh(position: unknown): unknown {
    const { coords, timestamp } = (position ?? {}) as { coords?: { speed?: unknown }; timestamp?: unknown }
    const factor = speedUnit(
      position,
      typeof timestamp === 'number' ? correctGpsEpoch(timestamp, Date.now()).unixMs / 1000 : undefined
    )
    return factor === 1
      ? position
      : { ...(position as object), coords: { ...coords, speed: (coords?.speed as number) * factor } }
  }

  return {
    /** An operation with a documented answer. */
    async read<S extends z.ZodType>(
      id: string,
      schema: S,
      call: CallOptions = {},
      input: Input = {}
    ): Promise<Reading<z.output<S>>> {
      try {
        const { read, sizeBytes } = await readOnce(id, schema, call, input)
        options.onRead?.({
          operation: id,
          value: read.value,
          raw: read.raw,
          problems: read.problems,
          sizeBytes,
          atMs: Date.parse(read.readAt),
          elapsedMs: read.elapsedMs
        })
        return read
      } catch (error) {
        // A cancelled request is not a missing reading.
        const isTried = error instanceof AppError && error.code !== 'CANCELLED'
        if (isTried)
          options.onRead?.({
            operation: id,
            value: null,
            raw: null,
            problems: [],
            sizeBytes: 0,
            atMs: Date.now(),
            elapsedMs: null
          })
        throw error
      }
    },
    /** An operation whose answer is not documented: any JSON, any text or nothing is kept unchanged. */
    async command(id: string, input: Input = {}, call: CallOptions = {}): Promise<Reading<unknown>> {
      const answer = await ask(id, input, call)
      if (isWebPage(answer.text)) {
        throw somethingElseAnswers({ label, operation: id, mutates: findEndpoint(id).mutates }, answer.status)
      }
      const json = await readJson(answer.text)
      const raw = maskSecrets(json === undefined ? answer.text : json.value, answer.secrets)
      return reading(id, answer, raw, [], raw)
    }
  }
}

/** A value left out because its unit is unknown is not missing as well. */
function withForms(problems: Message[], ofForms: Message[]): Message[] {
  const known = new Set(ofForms.map(({ values }) => values['path']))
  return ofForms.length === 0
    ? problems
    : [...ofForms, ...problems.filter(({ id, values }) => id !== 'reading.wrong' || !known.has(values['path']))]
}

function reading<V>(operation: string, answer: Answer, value: V, problems: Message[], raw: unknown) {
  const { status, elapsedMs } = answer
  return { operation, status, value, problems, raw, readAt: new Date().toISOString(), elapsedMs }
}

function basicHeader({ user, password }: Credentials): string {
  if (user.includes(':')) throw new AppError('INVALID_REQUEST', message('device.colon'))
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}

/** A large answer is parsed in a separate thread, which refuses what no device sends. */
async function readJson(text: string): Promise<{ value: unknown } | undefined> {
  if (!isLarge(text)) return readSmallJson(text)
  const read = await parseJson(Buffer.from(text, 'utf8'))
  return read.kind === 'json' ? { value: read.value } : undefined
}

function readSmallJson(text: string): { value: unknown } | undefined {
  try {
    return { value: parseWithDigits(withoutMark(text)) }
  } catch {
    // Invalid JSON is an outcome here: the callers decide what it means for their operation.
    return undefined
  }
}

const isWebPage = (text: string): boolean => markupIn(text) === 'page'

/** One or two characters would match all over an answer, and are no secret. */
function secretForms(secrets: readonly (string | undefined)[]): string[] {
  return secrets
    .filter((secret) => secret !== undefined && secret.length > 2)
    .flatMap((secret) => [secret as string, encodeURIComponent(secret as string)])
}

/** The short text in which an error body describes the error; the documented one nests it under `error`. */
function wordsOf({ text, secrets }: Answer): string {
  const json = readSmallJson(text.slice(0, mostErrorLetters))
  const body = json === undefined && !isWebPage(text) ? text : json?.value
  const found = typeof body === 'object' && body !== null ? textField(body as Record<string, unknown>) : body
  if (typeof found !== 'string') return ''
  const words = (maskSecrets(found, secrets, secretsIn(body)) as string).replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return words.length > 200 ? `${words.slice(0, 199)}…` : words
}

function textField(body: Record<string, unknown>): string {
  for (const name of ['error', 'mess', 'message', 'errorText']) {
    const field = body[name]
    if (typeof field === 'string') return field
    if (name === 'error' && typeof field === 'object' && field !== null) {
      const text = (field as Record<string, unknown>).errorText
      if (typeof text === 'string') return text
    }
  }
  return ''
}
