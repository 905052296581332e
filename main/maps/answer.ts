import { isTile } from './onlineTiles.ts'
import type { Maps } from './maps.ts'

/** The answer to a page that asks for a piece of a map, whichever front end it is in. */
export interface MapAnswer {
  status: number
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer>
}

/** The one address of the offline map, whichever file it is. */
const fileAddress = '/map/offline.pmtiles'
const pictureAddress = /^\/map\/online\/(\d{1,2})\/(\d{1,7})\/(\d{1,7})$/
/** Far more than a directory or a tile has. */
const longestRange = 16 * 1024 * 1024

/** Nothing of a path reaches the disk or the network: there is one file, and three numbers of a picture. */
export async function answerMap(maps: Pick<Maps, 'readFile' | 'picture'>, path: string, range: string | undefined): Promise<MapAnswer> {
  if (path === fileAddress) return answerRange(maps, range)
  const [, z, x, y] = pictureAddress.exec(path) ?? []
  const tile = { z: Number(z), x: Number(x), y: Number(y) }
  const picture = isTile(tile) ? await maps.picture(tile) : undefined
  return picture ? { status: 200, headers: { 'Content-Type': picture.mediaType }, body: picture.bytes } : refuse(404)
}

async function answerRange(maps: Pick<Maps, 'readFile'>, range: string | undefined): Promise<MapAnswer> {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range ?? '') ?? []
  const [from, to] = [Number(first), Number(last)]
  // The whole of it may be larger than memory: it is given in pieces only.
  if (first === undefined || to < from || to - from >= longestRange) return refuse(416)
  const read = await maps.readFile(from, to - from + 1)
  if (!read) return refuse(404)
  const { bytes, sizeBytes, tag } = read
  return {
    status: 206,
    headers: { 'Content-Type': 'application/vnd.pmtiles', 'Content-Range': `bytes ${from}-${from + bytes.length - 1}/${sizeBytes}`, ETag: tag },
    body: bytes
  }
}

function refuse(status: number): MapAnswer {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: new Uint8Array() }
}
