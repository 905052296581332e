import { createHash, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { createServer as createHttp, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { publicOf, writeFeed } from '../../../bin/updateFeed.ts'
import type { FeedContent, FeedFile } from '../../../main/base/updates/feedForm.ts'
import { createTrust } from '../../../main/base/internet/authorities.ts'
import { createProxies } from '../../../main/base/internet/proxies.ts'
import { createGatewayRoutes } from '../../../main/base/internet/routes.ts'
import { issue, makeAuthority } from './testCertificates.ts'

export const packageBytes = randomBytes(200_000)
export const packageNames = [
  'Fitter-2.5.0-setup-x64.exe',
  'Fitter-2.5.0-setup-arm64.exe',
  'Fitter-2.5.0-mac-universal.zip',
  'Fitter-2.5.0-linux-x86_64.AppImage',
  'Fitter-2.5.0-linux-arm64.AppImage'
]
/** A name of a package for the computer that runs the test. */
export const ownPackage = `Fitter-2.5.0-linux-${process.arch === 'arm64' ? 'arm64' : 'x86_64'}.AppImage`
export const ownFeedName = process.arch === 'arm64' ? 'latest-linux-arm64.yml' : 'latest-linux.yml'

export function fileOf(bytes: Buffer, url: string): FeedFile {
  return { url, sha512: createHash('sha512').update(bytes).digest('base64'), size: bytes.length }
}

/** A valid feed of version 2.5.0, signed now. */
export function feedContent(change: Partial<Record<keyof FeedContent, unknown>> = {}): object {
  return {
    product: 'Fitter',
    version: '2.5.0',
    channel: 'stable',
    releaseDate: '2026-11-19T08:00:00.000Z',
    signedAt: new Date().toISOString(),
    stagingPercentage: 100,
    files: packageNames.map((name) => fileOf(packageBytes, name)),
    news: {
      en: [{ name: 'Ignition step', text: 'recognises hybrid vehicles.' }],
      es: [{ name: 'El paso de contacto', text: 'reconoce vehículos híbridos.' }]
    },
    ...change
  }
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A real server of a feed, with a key pair of its own. Each path is answered by what is set for it. */
export async function startFeedServer({
  isSecure = true,
  secure = {},
  until
}: { isSecure?: boolean; secure?: SecureContextOptions; until?: Date } = {}) {
  const { privateKey } = generateKeyPairSync('ed25519')
  const authority = makeAuthority('Update Test Root')
  const answers = new Map<string, Answer>()
  const requests: string[] = []
  const listener: RequestListener = (request, response) => {
    requests.push(request.url ?? '')
    const answer = answers.get(request.url ?? '')
    if (answer) answer(response, request)
    else response.writeHead(404).end()
  }
  const server = isSecure
    ? createHttps(
        { ...issue({ name: 'feed', for: ['127.0.0.1'], ...(until && { until }) }, authority), ...secure },
        listener
      )
    : createHttp(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `${isSecure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send =
    (bytes: Buffer): Answer =>
    (response) =>
      response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)

  function publish(feed: object | Buffer = feedContent(), key: KeyObject = privateKey): void {
    answers.set(`/feed/${ownFeedName}`, send(Buffer.isBuffer(feed) ? feed : writeFeed(feed, key)))
    answers.set(`/feed/${ownPackage}`, send(packageBytes))
  }
  publish()
  return {
    origin,
    feed: `${origin}/feed/`,
    privateKey,
    answers,
    requests,
    send,
    publish,
    source: { feed: `${origin}/feed/`, keys: [{ name: 'Fitter Software S.A.S.', publicKey: publicOf(privateKey) }] },
    /** The connections of a computer that trusts this server. */
    ways: createGatewayRoutes({
      proxies: createProxies({
        choice: () => ({ kind: 'none' }),
        credentials: () => Promise.resolve(undefined),
        onSecret: () => undefined
      }),
      trust: createTrust(() => [authority.cert]),
      interfaces: () => ({})
    }),
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
export type FeedServer = Awaited<ReturnType<typeof startFeedServer>>
