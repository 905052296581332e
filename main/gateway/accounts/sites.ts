import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { createGatewayClient, type GatewayClient } from '../client/client.ts'
import type { Credentials } from '../client/transport/session.ts'
import type { GatewayRoutes } from '../../base/internet/routes.ts'
import type { Secrets } from '../../base/secrets/keychain.ts'
import type { OutputsPort } from './outputsPort.ts'

export interface GatewayAccessOptions {
  secrets: Secrets
  /** The configured base address; empty when none is set. */
  url(): string
  /** The chosen account; empty: the last one. */
  user?(): string
  /** Credentials of this process only (environment, training); the keychain takes precedence. */
  given?: Credentials | undefined
  onSecret(text: string): void
  /** Passwords that are not stored, when they outlive one workplace. */
  unstored?: Map<string, string> | undefined
  /** The connections to gateways; by default from the environment. */
  ways?: GatewayRoutes | undefined
  /** AppError REFUSED for a gateway that may not be used. */
  refuse?: ((url: string) => void) | undefined
  /** See the client's option of this name. */
  callsPerMinute?: (() => number | null) | undefined
  /** Called after each answer or failure of the gateway. */
  onStatus?(): void
  /** Without it there are no outputs: nothing was switched on with this data. */
  outputs?: Pick<OutputsPort, 'leave'> | undefined
}

export interface SiteRef {
  url: string
  user: string
}

/** The configured gateway with the user's account; other sites and accounts wait beside it. */
export type GatewayAccess = ReturnType<typeof createGatewayAccess>

export function createGatewayAccess(options: GatewayAccessOptions) {
  const { secrets } = options
  /** Each account keeps its session and its rate windows while others are in use. */
  const clients = new Map<string, GatewayClient>()
  let present: GatewayClient | undefined
  let signIns = 0
  /** Accounts that a person signed out of in this run: their credentials are not used until they sign in. */
  const signedOut = new Set<string>()

  /** Stores the last account at an address; an earlier Fitter stored the password here too. */
  function lastUserName(url: string): string {
    return `gateway/${url}`
  }

  function credentialsName({ url, user }: SiteRef): string {
    return `gateway/${url}|${user}`
  }

  /** Passwords and tokens that end with this run, because the person did not want them stored. */
  const unstored = options.unstored ?? new Map<string, string>()

  const readSecret = async (name: string): Promise<string | undefined> => unstored.get(name) ?? secrets.get(name)

  async function read(name: string): Promise<Partial<Credentials> | undefined> {
    const text = await readSecret(name)
    return text === undefined ? undefined : (JSON.parse(text) as Partial<Credentials>)
  }

  async function userOf(url: string): Promise<string> {
    const chosen = options.user?.() ?? ''
    if (chosen !== '') return chosen
    return (await read(lastUserName(url)))?.user ?? options.given?.user ?? ''
  }

  async function findCredentials(site: SiteRef): Promise<Credentials | undefined> {
    if (signedOut.has(credentialsName(site))) return undefined
    const kept = (await read(credentialsName(site))) ?? (await read(lastUserName(site.url)))
    const found = kept?.password !== undefined && kept.user === site.user ? (kept as Credentials) : undefined
    const credentials = found ?? (options.given?.user === site.user ? options.given : undefined)
    if (credentials) options.onSecret(credentials.password)
    return credentials
  }

  /** The connections to one gateway; a client is also made for one that may not be used, to forget its account. */
  function waysTo(url: string): { ways?: GatewayRoutes } {
    const { ways } = options
    if (!ways) return {}
    return {
      ways: {
        ...ways,
        async connect(to, how) {
          options.refuse?.(url)
          return ways.connect(to, how)
        }
      }
    }
  }

  function open(site: SiteRef): GatewayClient {
    const name = credentialsName(site)
    const known = clients.get(name)
    if (known) return known
    const client = createGatewayClient({
      url: site.url,
      credentials: () => findCredentials(site),
      ...waysTo(site.url),
      callsPerMinute: options.callsPerMinute,
      onStatus: () => {
        if (present === client) options.onStatus?.()
      },
      token: {
        async get() {
          const token = await readSecret(`${name}/token`)
          if (token !== undefined) options.onSecret(token)
          return token
        },
        async set(token) {
          unstored.delete(`${name}/token`)
          if (token === undefined) return secrets.remove(`${name}/token`)
          options.onSecret(token)
          if (unstored.has(name)) return void unstored.set(`${name}/token`, token)
          await secrets.set(`${name}/token`, token)
        }
      }
    })
    clients.set(name, client)
    return client
  }

  async function removePassword(site: SiteRef): Promise<void> {
    signedOut.add(credentialsName(site))
    unstored.delete(credentialsName(site))
    await secrets.remove(credentialsName(site))
    if ((await read(lastUserName(site.url)))?.user === site.user) await secrets.remove(lastUserName(site.url))
  }

  async function current(): Promise<GatewayClient | undefined> {
    const url = options.url()
    if (url === '') return undefined
    present = open({ url, user: await userOf(url) })
    return present
  }

  /** The present account; null when there is none. */
  async function site(): Promise<SiteRef | null> {
    const url = options.url()
    const user = url === '' ? '' : await userOf(url)
    return user === '' ? null : { url, user }
  }

  /**
   * Before the present account is given up: what may be on through it is off. Throws CONFLICT while that is not
   * confirmed. An account whose password the gateway does not accept any more switches nothing off, so it may go.
   */
  async function leave(): Promise<void> {
    const active = await site()
    if (!active || !(await findCredentials(active))) return
    try {
      await options.outputs?.leave({ path: 'gateway' })
    } catch (error) {
      if (!(await isRefused(active))) throw error
    }
  }

  /** What cannot be asked is not refused. */
  async function isRefused(account: SiteRef): Promise<boolean> {
    try {
      await open(account).user.own()
      return false
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return error.code === 'NOT_AUTHENTICATED'
    }
  }

  return {
    site,
    /**
     * AppError REFUSED for a gateway that may not be used. Asked before every connection, and before anything about one
     * is stored.
     */
    demandAllowed: (url: string): void => options.refuse?.(url),
    clientOf: open,
    leave,
    /** Whether this account is the present one, and nobody has signed out of it. */
    async isPresent(account: SiteRef): Promise<boolean> {
      const now = await site()
      return now?.url === account.url && now.user === account.user && !signedOut.has(credentialsName(account))
    },
    /** The client of the present address and user; NOT_AUTHENTICATED when none is set. */
    async client(): Promise<GatewayClient> {
      const client = await current()
      if (!client) {
        throw new AppError('NOT_AUTHENTICATED', message('connections.noGateway'))
      }
      return client
    },
    /** A client for an address that is only tried: without an account, and forgotten afterwards. */
    visit: (url: string): GatewayClient =>
      createGatewayClient({ url, credentials: async () => undefined, ...waysTo(url) }),
    /**
     * `isStored`: false for a password that ends with this run. CONFLICT while an output may be on that needs the
     * present account.
     */
    async signIn(
      url: string,
      credentials: Credentials,
      signal: AbortSignal,
      isStored = true
    ): Promise<{ kind: 'signedIn'; kept: boolean } | { kind: 'wrongPassword'; detail: Message }> {
      options.refuse?.(url)
      options.onSecret(credentials.password)
      const active = await site()
      const isOther = active !== null && (active.url !== url || active.user !== credentials.user)
      if (isOther) await leave()
      const name = credentialsName({ url, user: credentials.user })
      const client = open({ url, user: credentials.user })
      const before = await secrets.get(name)
      const unstoredBefore = unstored.get(name)
      const wasSignedOut = signedOut.delete(name)
      unstored.delete(name)
      if (isStored) await secrets.set(name, JSON.stringify(credentials))
      else unstored.set(name, JSON.stringify(credentials))
      try {
        const result = await client.signIn({ signal })
        if (result.kind === 'signedIn') {
          // Something may have been switched on while the gateway was asked.
          if (isOther) await leave()
          await secrets.set(lastUserName(url), JSON.stringify({ user: credentials.user }))
          present = client
          signIns++
          if (!isStored) await secrets.remove(name)
          return { kind: 'signedIn', kept: isStored && (await secrets.status()).kind === 'keychain' }
        }
        await restore()
        return result
      } catch (error) {
        await restore()
        throw error
      }

      async function restore(): Promise<void> {
        if (wasSignedOut) signedOut.add(name)
        if (unstoredBefore === undefined) unstored.delete(name)
        else unstored.set(name, unstoredBefore)
        if (before === undefined) await secrets.remove(name)
        else await secrets.set(name, before)
      }
    },
    /** How often a person has signed in since the start: with each, an account that was refused is tried again. */
    signIns: (): number => signIns,
    async signOut(signal: AbortSignal): Promise<void> {
      const client = await current()
      const active = await site()
      if (!client) return
      await leave()
      // Before the gateway is told: otherwise background requests would sign in again with it.
      if (active) await removePassword(active)
      await client.signOut({ signal })
    },
    /** Ends the session of an account and deletes its password, present or not. */
    async forget(account: SiteRef, signal: AbortSignal): Promise<void> {
      const active = await site()
      if (active?.url === account.url && active.user === account.user) await leave()
      const client = open(account)
      await removePassword(account)
      await client.signOut({ signal })
      client.close()
      clients.delete(credentialsName(account))
      if (present === client) present = undefined
    },
    hasPassword: async (site: SiteRef): Promise<boolean> => (await findCredentials(site)) !== undefined,
    async status(): Promise<GatewayStatus> {
      const client = await current()
      if (client) return client.status()
      return {
        state: 'notSet',
        url: '',
        user: null,
        scopes: null,
        isStaff: null,
        groups: null,
        rateLimit: null,
        clockDifferenceS: null,
        answeredAt: null,
        hindrance: null,
        way: null,
        detail: message('connections.gatewayNotSet')
      }
    },
    clockDifferenceMs(): number | null {
      const differenceS = present?.clockDifferenceS() ?? null
      return differenceS === null ? null : differenceS * 1000
    },
    isAnswering: (): boolean | undefined => present?.isAnswering(),
    /** A cheap request without any secret that checks whether the present gateway answers. */
    look: async (signal?: AbortSignal): Promise<boolean> => (await current())?.look(signal) ?? false,
    /** The computer slept, its clock was set, or its network changed. */
    renew(sleptMs: number): void {
      for (const client of clients.values()) client.renew(sleptMs)
    },
    close(): void {
      for (const client of clients.values()) client.close()
    }
  }
}
