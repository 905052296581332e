import type { GatewayStatus } from '../preload/contract/gateway.ts'
import { AppError } from '../preload/contract/errors.ts'
import { createGatewayClient, type GatewayClient } from './gateway/client.ts'
import type { Secrets } from './secrets/keychain.ts'

interface Credentials {
  user: string
  password: string
}

export interface GatewayAccessOptions {
  secrets: Secrets
  /** Base address that is set now; empty when none is. */
  url(): string
  /** Credentials of this process alone (environment, training); they come after the keychain. */
  given?: Credentials | undefined
  onSecret(text: string): void
  /** Told after each answer or failure of the gateway. */
  onStatus?(): void
}

/** The gateway that is set, signed in as the person who uses Fitter. */
export interface GatewayAccess {
  /** The client of the present address; NOT_AUTHENTICATED when none is set. */
  client(): Promise<GatewayClient>
  signIn(url: string, credentials: Credentials, signal: AbortSignal): Promise<{ kind: 'signedIn'; kept: boolean } | { kind: 'wrongPassword'; detail: string }>
  signOut(signal: AbortSignal): Promise<void>
  status(): Promise<GatewayStatus>
  clockDifferenceMs(): number | null
  close(): void
}

export function createGatewayAccess(options: GatewayAccessOptions): GatewayAccess {
  const { secrets } = options
  let present: { url: string; client: GatewayClient } | undefined

  function credentialsName(url: string): string {
    return `gateway/${url}`
  }

  async function findCredentials(url: string): Promise<Credentials | undefined> {
    const text = await secrets.get(credentialsName(url))
    const found = text === undefined ? options.given : (JSON.parse(text) as Credentials)
    if (found) options.onSecret(found.password)
    return found
  }

  function open(url: string): GatewayClient {
    if (present?.url === url) return present.client
    present?.client.close()
    const client = createGatewayClient({
      url,
      credentials: () => findCredentials(url),
      onStatus: () => options.onStatus?.(),
      token: {
        async get() {
          const token = await secrets.get(`${credentialsName(url)}/token`)
          if (token !== undefined) options.onSecret(token)
          return token
        },
        async set(token) {
          if (token === undefined) return secrets.remove(`${credentialsName(url)}/token`)
          options.onSecret(token)
          await secrets.set(`${credentialsName(url)}/token`, token)
        }
      }
    })
    present = { url, client }
    return client
  }

  function current(): GatewayClient | undefined {
    const url = options.url()
    return url === '' ? undefined : open(url)
  }

  return {
    client() {
      const client = current()
      if (!client) {
        return Promise.reject(new AppError('NOT_AUTHENTICATED', 'No gateway is set. Enter its address and sign in under Settings, or give --gateway.'))
      }
      return Promise.resolve(client)
    },
    async signIn(url, credentials, signal) {
      options.onSecret(credentials.password)
      const client = open(url)
      const before = await secrets.get(credentialsName(url))
      await secrets.set(credentialsName(url), JSON.stringify(credentials))
      try {
        const result = await client.signIn({ signal })
        if (result.kind === 'signedIn') return { kind: 'signedIn', kept: (await secrets.status()).kind === 'keychain' }
        await restore(before)
        return result
      } catch (error) {
        await restore(before)
        throw error
      }

      async function restore(text: string | undefined): Promise<void> {
        if (text === undefined) await secrets.remove(credentialsName(url))
        else await secrets.set(credentialsName(url), text)
      }
    },
    async signOut(signal) {
      const client = current()
      if (!client) return
      await client.signOut({ signal })
      await secrets.remove(credentialsName(client.url))
    },
    async status() {
      const client = current()
      if (client) return client.status()
      return { state: 'notSet', url: '', user: null, scopes: null, rateLimit: null, clockDifferenceS: null, detail: 'No gateway is set.' }
    },
    clockDifferenceMs() {
      const differenceS = present?.client.clockDifferenceS() ?? null
      return differenceS === null ? null : differenceS * 1000
    },
    close: () => present?.client.close()
  }
}
