import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import { engineManifest } from './records/automation.ts'
import { loginAnswer } from './records/people.ts'
import { checkBaseAddress, isInsecure } from './transport/address.ts'
import { geofencesArea, reportsArea, routesArea, tasksArea, triggersArea } from './areas/automation.ts'
import { flashcamArea, navscreenArea, photocamArea, remoteArea } from './areas/commands.ts'
import { countersArea, jobsArea, rawdataArea, tripsArea } from './areas/rawdata.ts'
import {
  assetsArea,
  btTagsArea,
  devicesArea,
  entitiesArea,
  ibuttonsArea,
  simsArea,
  vehiclesArea
} from './areas/entities.ts'
import { groupsArea, receiversArea, sessionArea, userArea, usersArea } from './areas/people.ts'
import { labelsArea, tzArea, versionArea } from './areas/site.ts'
import { anyForm, createCaller, recordForm, type CallOptions, type LastAnswer } from './transport/caller.ts'
import { engineEndpoints, gatewayEndpoints, undocumentedEndpoints } from './request/endpointTable.ts'
import { failureOf } from './transport/answers.ts'
import { isOfAnother, judge } from '../../base/internet/judgement.ts'
import { createLoginPageGuard } from './transport/loginPage.ts'
import { createRateLimiter, type BucketState } from './transport/rateLimit.ts'
import { createServerTime } from './transport/serverTime.ts'
import { createSession, type Credentials, type TokenStore } from './transport/session.ts'
import { createTransport } from './transport/transport.ts'
import { hindranceOf } from './transport/unreachable.ts'
import { type GatewayRoutes, createGatewayRoutes } from '../../base/internet/routes.ts'
import { networkInterfaces } from 'node:os'
import { createTrust } from '../../base/internet/authorities.ts'
import { createProxies } from '../../base/internet/proxies.ts'

export interface GatewayClientOptions {
  /** Base address; ends in /api. */
  url: string
  /** Called before every sign-in; undefined when nobody is signed in. */
  credentials: () => Promise<Credentials | undefined>
  /** Stores the token between runs. */
  token?: TokenStore
  /** For one complete call. Default 10000. */
  timeoutMs?: number
  /** Called after each answer or failure: `status` may have changed. */
  onStatus?: () => void
  /** The connections to use. Default: from the environment. */
  ways?: GatewayRoutes
  /** The most calls in a minute that the person or the company allows; null: as many as the gateway allows. */
  callsPerMinute?: (() => number | null) | undefined
}

export type SignInResult = { kind: 'signedIn' } | { kind: 'wrongPassword'; detail: Message }

const defaultTimeoutMs = 10_000
const lookLimitMs = 4_000

/**
 * A client of one gateway site: `client.area.verb(input, options)` for each operation of resources/endpoints.json.
 * Inputs have their documented names. Answers are readings; failures are AppErrors, and their `fate` says whether they
 * may have had an effect. INVALID_REQUEST at once for an invalid gateway address.
 */
export function createGatewayClient(options: GatewayClientOptions) {
  const base = checkBaseAddress(options.url, '/api')
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  const ways = options.ways ?? createOwnWays()
  const transport = createTransport(ways)
  const serverTime = createServerTime()
  const limiter = createRateLimiter({ serverNowMs: () => serverTime.nowMs(), mostPerMinute: options.callsPerMinute })
  let seen: LastAnswer | undefined
  let answeredAtMs: number | undefined
  /** When it stopped answering; null while it answers, and if it never did. */
  let stoppedAt: string | null = null
  let lastUser: string | null = null
  let scopes: Record<string, string> | null = null
  let isStaff: boolean | null = null
  let groups: number[] | null = null

  const isUnproven = isInsecure(base)
  const guard = createLoginPageGuard({ look: () => look(), isUnproven })

  function saw(outcome: LastAnswer): void {
    seen = { ...outcome, rateLimit: outcome.rateLimit ?? seen?.rateLimit ?? null }
    const isAnswer = outcome.isAnswered && outcome.problem === null
    if (isAnswer) answeredAtMs = Date.now()
    stoppedAt = isAnswer || answeredAtMs === undefined ? null : (stoppedAt ?? new Date().toISOString())
    options.onStatus?.()
  }

  /**
   * Requests the version record without any secret ("API version record"). A sentence: something other than the gateway
   * answers.
   */
  async function look(signal?: AbortSignal): Promise<Message | null> {
    try {
      const answer = await transport.send({
        method: 'GET',
        url: base,
        headers: { Accept: 'application/json, */*;q=0.5' },
        isWrite: false,
        timeoutMs: lookLimitMs,
        signal
      })
      const judgement = judge(answer)
      // A page that refuses what needs no sign-in is not the gateway's.
      const isPageInstead = judgement.kind === 'status' && judgement.isDoubtful
      const failure = failureOf(isPageInstead ? { kind: 'between' } : judgement, answer, {
        secrets: [],
        mayQuote: true,
        retryAtMs: undefined,
        isWrite: false,
        isSignIn: false
      })
      const isGateway = !isOfAnother(judgement) && !isPageInstead
      const met = isGateway
        ? null
        : judgement.kind === 'network'
          ? message('gateway.loginPage')
          : (failure?.sentence ?? message('gateway.loginPage'))
      if (isGateway) serverTime.learnDate(answer.headers.get('date'), answer.startedAtMs, answer.endedAtMs)
      else {
        guard.doubt()
        ways.metLoginPage(answer.localAddress)
      }
      saw({
        isAnswered: isGateway,
        failure: failure?.code === 'SERVER_ERROR' ? failure.sentence : null,
        rateLimit: null,
        problem: met
      })
      return met
    } catch (error) {
      if (error instanceof AppError && error.code !== 'CANCELLED')
        saw({ isAnswered: false, rateLimit: null, problem: error.sentence })
      throw error
    }
  }

  const shared = {
    base,
    endpoints: gatewayEndpoints,
    transport,
    limiter,
    serverTime,
    timeoutMs,
    guard,
    onSeen: saw,
    onForeign: (localAddress: string) => ways.metLoginPage(localAddress)
  }
  const anonymous = createCaller(shared)
  const session = createSession({
    base,
    credentials: options.credentials,
    store: options.token,
    login: (credentials) => login(credentials),
    discard: (token) => void endAtGateway(token)
  })
  const caller = createCaller({ ...shared, session })
  const undocumented = createCaller({ ...shared, session, endpoints: undocumentedEndpoints })

  async function login(credentials: Credentials): Promise<string> {
    const { scheme } = credentials
    const input = {
      username: credentials.user,
      password: credentials.password,
      app: 'fitter',
      ...(scheme?.kind === 'infinite' ? { scheme: 'infinite' } : {}),
      ...(scheme?.kind === 'finite' ? { expires: scheme.expiresS } : {})
    }
    const reading = await anonymous.call('session.login', input, { timeoutMs }, recordForm(loginAnswer))
    const token = reading.value.auth
    // A token is sent in a header: a text with other characters is not a token and would break the request.
    if (typeof token !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(token)) {
      throw new AppError('UNREADABLE', message('gateway.noToken'), { retryable: true })
    }
    lastUser = credentials.user
    return token
  }

  /** Ends the session of a token; false when the gateway could not be reached. */
  async function endAtGateway(token: string, callOptions?: CallOptions): Promise<boolean> {
    // Only with this token: signing out must not sign in.
    const ended = new AppError('NOT_AUTHENTICATED', message('gateway.sessionEnded'), { status: 401 })
    const once = createCaller({
      ...shared,
      session: { ...session, token: async () => token, renew: () => Promise.reject(ended) }
    })
    try {
      await once.call('session.logout', { auth: token }, callOptions, { kind: 'any' })
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return error.status === 401
    }
  }

  const user = userArea(caller)
  const areas = {
    version: versionArea(caller),
    tz: tzArea(caller, serverTime),
    session: sessionArea(caller, session.current, session.forget),
    receivers: receiversArea(caller),
    user: {
      own: async (...args: Parameters<typeof user.own>) => {
        const reading = await user.own(...args)
        scopes = Object.fromEntries(
          Object.entries(reading.value.scopes ?? {}).filter(([, level]) => level !== undefined)
        ) as Record<string, string>
        isStaff = reading.value.is_staff === true
        groups = reading.value.groups ?? null
        lastUser = reading.value.username ?? lastUser
        return reading
      }
    },
    users: usersArea(caller),
    groups: groupsArea(caller),
    vehicles: vehiclesArea(caller),
    entities: entitiesArea(caller),
    devices: devicesArea(caller),
    sims: simsArea(caller),
    ibuttons: ibuttonsArea(caller),
    assets: assetsArea(caller),
    btTags: btTagsArea(caller),
    remote: remoteArea(caller),
    photocam: photocamArea(caller),
    flashcam: flashcamArea(caller),
    navscreen: navscreenArea(caller),
    rawdata: rawdataArea(caller),
    labels: labelsArea(caller),
    jobs: jobsArea(caller),
    counters: countersArea(caller),
    trips: tripsArea(caller),
    geofences: geofencesArea(caller),
    routes: routesArea(caller),
    triggers: triggersArea(caller),
    reports: reportsArea(caller),
    tasks: tasksArea(caller)
  }

  return {
    ...areas,
    url: base,
    /** Signs in now with the present credentials, even if there is a token. */
    async signIn(callOptions?: CallOptions): Promise<SignInResult> {
      try {
        await session.signIn(callOptions?.signal)
        return { kind: 'signedIn' }
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'NOT_AUTHENTICATED') throw error
        return { kind: 'wrongPassword', detail: error.sentence }
      }
    },
    /** Ends the session at the gateway if it can be reached, and forgets the token in any case. */
    async signOut(callOptions?: CallOptions): Promise<{ isEndedAtGateway: boolean }> {
      const token = await session.current()
      await session.forget()
      if (token === undefined) return { isEndedAtGateway: true }
      return { isEndedAtGateway: await endAtGateway(token, callOptions) }
    },
    /**
     * `PUT /vehicles/:id` with `{device}` alone is not documented: only when a person confirms it, once, never in the
     * background.
     */
    assignDevice: (input: { id: number; device: number }, callOptions?: CallOptions) =>
      undocumented.call('vehicles.assignDevice', input, callOptions, anyForm),
    /** Gateway time minus this computer's time, in seconds; null before the first answer. */
    clockDifferenceS: () => serverTime.clockDifferenceS(),
    /** The gateway's time now (epoch ms); this computer's before the first answer. */
    nowMs: () => Date.now() + (serverTime.clockDifferenceS() ?? 0) * 1000,
    /** Requests the gateway's time if it is unknown or outdated. */
    async learnTime(signal: AbortSignal): Promise<void> {
      if (!serverTime.isSure()) await tzArea(caller, serverTime).list({}, { signal, priority: 'person' })
    },
    rateLimits: (): BucketState[] => limiter.snapshot(),
    /** The state that is known without a request. */
    async status(): Promise<GatewayStatus> {
      const credentials = await options.credentials()
      const isKnown = credentials !== undefined || (await session.current()) !== undefined
      const problem = seen?.problem ?? seen?.failure ?? null
      const state = !isKnown
        ? 'signedOut'
        : seen === undefined
          ? 'unknown'
          : seen.isAnswered && problem === null
            ? 'reachable'
            : 'unreachable'
      return {
        state,
        url: base,
        user: credentials?.user ?? (isKnown ? lastUser : null),
        scopes: isKnown ? scopes : null,
        isStaff: isKnown ? isStaff : null,
        groups: isKnown ? groups : null,
        rateLimit: limitUnderWay(seen?.rateLimit, serverTime.nowMs() ?? Date.now()),
        clockDifferenceS: serverTime.clockDifferenceS(),
        answeredAt: answeredAtMs === undefined ? null : new Date(answeredAtMs).toISOString(),
        way: showWay(ways.last()),
        hindrance: state === 'unreachable' ? hindranceOf(problem ?? message('gateway.away')) : null,
        detail: detailOf(state, problem, stoppedAt)
      }
    },
    /** Whether the gateway answered the last request; undefined before the first. */
    isAnswering: (): boolean | undefined => seen && seen.isAnswered && seen.problem === null,
    /**
     * A cheap check whether the gateway itself answers; it contains no secret. Never rejects for an expected reason.
     */
    async look(signal?: AbortSignal): Promise<boolean> {
      try {
        return (await look(signal)) === null
      } catch (error) {
        if (error instanceof AppError) return false
        throw error
      }
    },
    /**
     * The computer slept this long (0: not at all), its clock was set, or its network changed: earlier connections end.
     */
    renew(sleptMs: number): void {
      transport.renew()
      limiter.slept(sleptMs)
      session.slept(sleptMs)
      if (isUnproven) guard.doubt()
    },
    /** Values that no text may show: the token and password in use. */
    secrets: () => session.secrets(),
    close: () => transport.close()
  }
}

export type GatewayClient = ReturnType<typeof createGatewayClient>

/** Of a window that has ended nothing is known. */
function limitUnderWay(limit: GatewayStatus['rateLimit'] | undefined, nowMs: number): GatewayStatus['rateLimit'] {
  return limit && Date.parse(limit.resetAt) > nowMs ? limit : null
}

function showWay(last: ReturnType<GatewayRoutes['last']>): GatewayStatus['way'] {
  return last && { card: last.card, address: last.localAddress, proxy: last.way.proxy?.label ?? null }
}

function detailOf(state: GatewayStatus['state'], problem: Message | null, stoppedAt: string | null): Message {
  if (state === 'signedOut') return message('gateway.signedOut')
  if (state === 'unknown') return message('gateway.notAsked')
  if (state === 'reachable') return message('gateway.answers')
  // An address that has worked is not wrong.
  if (problem?.id === 'gateway.nothingThere' && stoppedAt !== null)
    return message('gateway.stoppedAnswering', { stoppedAt })
  return problem ?? message('gateway.away')
}

/** A client of a report job engine ("Reports and tasks"), which has no sign-in. */
export function createEngineClient(options: { url: string; timeoutMs?: number }) {
  const transport = createTransport(createOwnWays())
  const { call } = createCaller({
    base: checkBaseAddress(options.url, ''),
    endpoints: engineEndpoints,
    transport,
    limiter: createRateLimiter(),
    serverTime: createServerTime(),
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    onSeen: () => undefined
  })
  return {
    engine: {
      manifest: (input: Record<string, never> = {}, callOptions?: CallOptions) =>
        call('engine.manifest', input, callOptions, recordForm(engineManifest)),
      /** The form of the answer is not documented. */
      startJob: (
        input: { configuration: Record<string, unknown>; parameters: Record<string, unknown> },
        callOptions?: CallOptions
      ) => call('engine.startJob', input, callOptions, { kind: 'any' }),
      file: (input: { site_id: string | number; job_id: string | number; file: string }, callOptions?: CallOptions) =>
        call<unknown>('engine.file', input, callOptions, { kind: 'file', isHtmlExpected: /\.html?$/i.test(input.file) })
    },
    close: () => transport.close()
  }
}

export type EngineClient = ReturnType<typeof createEngineClient>

/** From the environment of this process, for callers without settings. */
function createOwnWays(): GatewayRoutes {
  return createGatewayRoutes({
    proxies: createProxies({ choice: () => ({ kind: 'system' }) }),
    trust: createTrust(() => []),
    interfaces: networkInterfaces
  })
}
