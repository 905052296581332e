import { message, type Message } from '../../../preload/contract/messages.ts'

export interface Tile {
  z: number
  x: number
  y: number
}

export interface Picture {
  mediaType: string
  bytes: Uint8Array<ArrayBuffer>
}

const timeoutMs = 10_000
const largestBytes = 2 * 1024 * 1024
/** Several screens of tiles, enough to look around without new requests. */
const mostKept = 400
const mediaTypes = ['image/png', 'image/jpeg', 'image/webp']
const loopback = ['127.0.0.1', 'localhost', '[::1]']

/** Why no tile may be requested from this address: only https, except for a server on this computer. */
export function refuseTemplate(template: string): Message | undefined {
  const plain = withPlainParts(template)
  // Which names such a server has is not known here.
  if (plain.includes('{s}')) return message('maps.templateServers')
  if (![/\{z\}/, /\{x\}/, /\{-?y\}/].every((part) => part.test(plain))) return message('maps.templateParts')
  const address = addressOfTile(template, { z: 1, x: 1, y: 1 })
  const url = URL.parse(address)
  if (url === null || /[{}]/.test(address)) return message('maps.templateUnreadable')
  if (url.username !== '' || url.password !== '') return message('maps.templateUser')
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.includes(url.hostname))
  return isAllowed ? undefined : message('maps.templateHttps')
}

/** Some maps publish `${z}` or `{$z}` for `{z}`. */
function withPlainParts(template: string): string {
  return template.replace(/\$\{(\w|-y)\}|\{\$(\w|-y)\}/g, (_whole, one?: string, other?: string) => `{${one ?? other}}`)
}

/** The address of one tile. `{-y}` counts the rows from the south, as tile servers of the TMS kind do. */
export function addressOfTile(template: string, { z, x, y }: Tile): string {
  return withPlainParts(template)
    .replaceAll('{z}', String(z))
    .replaceAll('{x}', String(x))
    .replaceAll('{y}', String(y))
    .replaceAll('{-y}', String(2 ** z - 1 - y))
}

export function isTile({ z, x, y }: Tile): boolean {
  return [z, x, y].every(Number.isInteger) && z >= 0 && z <= 20 && x >= 0 && y >= 0 && x < 2 ** z && y < 2 ** z
}

/** Tiles of an online map, requested by the core: the page itself never contacts an outside server. */
export function createOnlineTiles(userAgent: string) {
  const kept = new Map<string, Promise<Picture | undefined>>()
  let ending = new AbortController()

  async function ask(address: string, signal: AbortSignal): Promise<Picture | undefined> {
    try {
      // No cookie, no referrer, and no redirect to an address other than the one that was entered.
      const answer = await fetch(address, {
        headers: { 'User-Agent': userAgent, Accept: mediaTypes.join(', ') },
        redirect: 'error',
        credentials: 'omit',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      })
      const mediaType = (answer.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
      const isPicture =
        answer.status === 200 &&
        mediaTypes.includes(mediaType) &&
        Number(answer.headers.get('content-length') ?? 0) <= largestBytes
      const bytes = isPicture && answer.body ? await readAtMost(answer.body) : undefined
      if (!bytes) await answer.body?.cancel()
      return bytes && { mediaType, bytes }
    } catch {
      // A person sees a map without this tile; nothing else depends on it.
      return undefined
    }
  }

  return {
    /** Undefined without a tile: no network, a refusal, or an answer that is not a picture. */
    async get(template: string, tile: Tile): Promise<Picture | undefined> {
      const address = addressOfTile(template, tile)
      const present = kept.get(address)
      if (present) return present
      const asked = ask(address, ending.signal)
      kept.set(address, asked)
      const oldest = kept.size > mostKept ? kept.keys().next().value : undefined
      if (oldest !== undefined) kept.delete(oldest)
      const picture = await asked
      // A tile that failed is requested again the next time.
      if (!picture && kept.get(address) === asked) kept.delete(address)
      return picture
    },
    clear(): void {
      ending.abort()
      ending = new AbortController()
      kept.clear()
    }
  }
}

async function readAtMost(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > largestBytes) return undefined
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
