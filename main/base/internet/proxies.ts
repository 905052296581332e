import { getProxyForUrl } from 'proxy-from-env'
import { AppError } from '../../../preload/contract/errors.ts'
import type { ProxyChoice } from '../../../preload/contract/app/internet.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Proxy } from './route.ts'

/** The platform's evaluation of PAC files and of the system's proxy, in the form of a PAC file's answer. */
export interface PlatformProxies {
  /** `pacAddress`: this file instead of the system's setting. */
  resolve(url: string, pacAddress: string | null): Promise<string>
}

export interface ProxiesOptions {
  choice(): ProxyChoice
  platform?: PlatformProxies | undefined
  /** The stored login of a proxy, by its `host:port`. */
  credentials?: ((label: string) => Promise<{ user: string; password: string } | undefined>) | undefined
  onSecret?: ((text: string) => void) | undefined
}

/** The proxies for a gateway address, in order; null: direct. */
export type Proxies = ReturnType<typeof createProxies>

const longestAnswer = 10

/** Unencrypted connections never use a proxy: it would see the token. Devices are never connected here. */
export function createProxies(options: ProxiesOptions) {
  async function withCredentials(address: string): Promise<Proxy> {
    const proxy = readProxy(address)
    if (!proxy) throw new AppError('UNREACHABLE', message('internet.proxyNotRead'), { fate: 'notSent' })
    if (proxy.credentials) {
      options.onSecret?.(proxy.credentials.password)
      return proxy
    }
    const kept = await options.credentials?.(proxy.label)
    if (!kept) return proxy
    options.onSecret?.(kept.password)
    return { ...proxy, credentials: kept }
  }

  async function byPlatform(
    platform: PlatformProxies,
    url: string,
    pacAddress: string | null
  ): Promise<(Proxy | null)[]> {
    const { ways, hasOther } = readPacAnswer(await platform.resolve(url, pacAddress))
    if (ways.length === 0 && hasOther)
      throw new AppError('UNREACHABLE', message('internet.proxyOtherKind'), { fate: 'notSent' })
    return ways.length === 0 ? [null] : Promise.all(ways.map((way) => (way === null ? null : withCredentials(way))))
  }

  return {
    async of(url: string): Promise<(Proxy | null)[]> {
      if (!url.startsWith('https:')) return [null]
      const choice = options.choice()
      switch (choice.kind) {
        case 'none':
          return [null]
        case 'address':
          return [await withCredentials(choice.address)]
        case 'pac':
          if (!options.platform) throw new AppError('UNREACHABLE', message('internet.pacNotHere'), { fate: 'notSent' })
          return byPlatform(options.platform, url, choice.address)
        case 'system': {
          if (options.platform) return byPlatform(options.platform, url, null)
          const address = proxyOfEnvironment(url)
          return [address === '' ? null : await withCredentials(address)]
        }
      }
    }
  }
}

/** HTTPS_PROXY, ALL_PROXY and NO_PROXY. A proxy without a scheme uses http, as everywhere. */
function proxyOfEnvironment(url: string): string {
  const found = getProxyForUrl(url)
  const said = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']
    .map((name) => process.env[name])
    .find((value) => value)
  return said !== undefined && !said.includes('://') && found.endsWith(said) ? `http://${said}` : found
}

/** Parses the address of a proxy; undefined when it cannot open a tunnel. */
export function readProxy(address: string): Proxy | undefined {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return undefined
  // A PAC file, or a password with “\” or “#”, which ends the host name too early.
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return undefined
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return {
    address: `${url.protocol}//${url.hostname}:${port}`,
    label: `${url.hostname}:${port}`,
    ...(url.username === '' ? {} : { credentials: { user: decoded(url.username), password: decoded(url.password) } })
  }
}

/** A password may contain a percent sign as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `PROXY a:8080; HTTPS b:443; DIRECT`: the proxies in order, null for direct; SOCKS is not supported. */
export function readPacAnswer(answer: string): { ways: (string | null)[]; hasOther: boolean } {
  const ways: (string | null)[] = []
  let hasOther = false
  for (const part of answer.split(';').slice(0, longestAnswer)) {
    const [kind = '', place] = part.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') ways.push(null)
    else if (place !== undefined && /^(PROXY|HTTP)$/i.test(kind)) ways.push(`http://${place}`)
    else if (place !== undefined && /^HTTPS$/i.test(kind)) ways.push(`https://${place}`)
    else if (kind !== '') hasOther = true
  }
  return { ways, hasOther }
}
