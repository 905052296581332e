import { networkInterfaces } from 'node:os'
import { AppError } from '../../../preload/contract/errors.ts'
import type { InternetSettings, ProxyChoice } from '../../../preload/contract/app/internet.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Interfaces } from '../../device/discovery/cards.ts'
import { createTrust, describeAuthority, readAuthorities } from '../../base/internet/authorities.ts'
import { createProxies, readProxy, type PlatformProxies } from '../../base/internet/proxies.ts'
import { createGatewayRoutes } from '../../base/internet/routes.ts'
import type { Secrets } from '../../base/secrets/keychain.ts'

/** A person's settings for the connection to the gateway; certificates are public, so they are in the settings. */
export interface KeptInternet {
  gatewayProxy: ProxyChoice
  gatewayCard: string
  gatewayAuthorities: string[]
}

export interface InternetOptions {
  secrets: Secrets
  settings: { get(): KeptInternet; change?: ((change: Partial<KeptInternet>) => unknown) | undefined }
  platform?: PlatformProxies | undefined
  interfaces?: (() => Interfaces) | undefined
  onSecret(text: string): void
  changed(): void
}

/** The connection to the gateway: proxy, network card, and certificates. Devices never use it. */
export type Internet = ReturnType<typeof createInternet>

const mostAuthorities = 50

export function createInternet(options: InternetOptions) {
  const { secrets, settings } = options
  const ways = createGatewayRoutes({
    proxies: createProxies({
      choice: () => settings.get().gatewayProxy,
      platform: options.platform,
      credentials: readCredentials,
      onSecret: (text) => options.onSecret(text)
    }),
    trust: createTrust(() => settings.get().gatewayAuthorities),
    interfaces: options.interfaces ?? networkInterfaces,
    chosenCard: () => settings.get().gatewayCard
  })

  async function readCredentials(label: string): Promise<{ user: string; password: string } | undefined> {
    const text = await secrets.get(`proxy/${label}`)
    return text === undefined ? undefined : (JSON.parse(text) as { user: string; password: string })
  }

  function change(next: Partial<KeptInternet>): void {
    settings.change?.(next)
    ways.forget()
    options.changed()
  }

  return {
    ways,
    async settings(): Promise<InternetSettings> {
      const { gatewayProxy: proxy, gatewayCard, gatewayAuthorities } = settings.get()
      const label = proxy.kind === 'address' ? readProxy(proxy.address)?.label : undefined
      return {
        proxy,
        proxyUser: label === undefined ? null : ((await readCredentials(label))?.user ?? null),
        hasPac: options.platform !== undefined,
        card: gatewayCard,
        authorities: gatewayAuthorities.flatMap((pem) => describeAuthority(pem) ?? [])
      }
    },
    async chooseProxy(proxy: ProxyChoice, credentials: { user: string; password: string } | undefined): Promise<void> {
      const read = proxy.kind === 'address' ? readProxy(proxy.address) : undefined
      if (proxy.kind === 'address' && !read) throw new AppError('INVALID_REQUEST', message('internet.proxyNotRead'))
      // In the address it would be in the settings file.
      if (read?.credentials) throw new AppError('INVALID_REQUEST', message('internet.noPasswordInAddress'))
      if (proxy.kind === 'pac' && !/^https?:$/.test(URL.parse(proxy.address)?.protocol ?? ''))
        throw new AppError('INVALID_REQUEST', message('internet.pacNotRead'))
      if (read && credentials) {
        options.onSecret(credentials.password)
        await secrets.set(`proxy/${read.label}`, JSON.stringify(credentials))
      } else if (read) await secrets.remove(`proxy/${read.label}`)
      change({ gatewayProxy: read ? { kind: 'address', address: read.address } : proxy })
    },
    chooseCard: (card: string) => change({ gatewayCard: card }),
    addAuthority(pem: string): void {
      const read = readAuthorities(pem)
      if (read.kind !== 'read') throw new AppError('INVALID_REQUEST', message(`internet.authority.${read.kind}`))
      const all = [...new Set([...settings.get().gatewayAuthorities, ...read.certificates])]
      if (all.length > mostAuthorities) throw new AppError('INVALID_REQUEST', message('internet.authority.tooMany'))
      change({ gatewayAuthorities: all })
    },
    removeAuthority(fingerprint: string): void {
      change({
        gatewayAuthorities: settings
          .get()
          .gatewayAuthorities.filter((pem) => describeAuthority(pem)?.fingerprint !== fingerprint)
      })
    }
  }
}
