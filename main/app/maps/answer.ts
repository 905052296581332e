import { isTile } from './onlineTiles.ts'
import type { Maps } from './maps.ts'

/** Answers a page that requests a part of a map, in the window and in the browser. */
export interface MapAnswer {
  status: number
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer>
}

/** The only address of the offline map, whatever its file is called. */
const fileAddress = '/map/offline.pmtiles'
const pictureAddress = /^\/map\/online\/(\d{1,2})\/(\d{1,7})\/(\d{1,7})$/
/** Far larger than any directory or tile. */
const longestRange = 16 * 1024 * 1024

/** No part of the path reaches the disk or the network: a request names the only file, or a tile by three numbers. */
export async function answerMap(
  maps: Pick<Maps, 'readFile' | 'picture'>,
  path: string,
  range: string | undefined
): Promise<MapAnswer> {
  if (path === fileAddress) return answerRange(maps, range)
  const [, z, x, y] = pictureAddress.exec(path) ?? []
  const tile = { z: Number(z), x: Number(x), y: Number(y) }
  const picture = isTile(tile) ? await maps.picture(tile) : undefined
  return picture ? { status: 200, headers: { 'Content-Type': picture.mediaType }, body: picture.bytes } : refuse(404)
}

async function answerRange(maps: Pick<Maps, 'readFile'>, range: string | undefined): Promise<MapAnswer> {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range ?? '') ?? []
  const [from, to] = [Number(first), Number(last)]
  // The whole file may be larger than memory, so only ranges are sent.
  if (first === undefined || to < from || to - from >= longestRange) return refuse(416)
  const read = await maps.readFile(from, to - from + 1)
  if (!read) return refuse(404)
  const { bytes, sizeBytes, tag } = read
  return {
    status: 206,
    headers: {
      'Content-Type': 'application/vnd.pmtiles',
      'Content-Range': `bytes ${from}-${from + bytes.length - 1}/${sizeBytes}`,
      ETag: tag
    },
    body: bytes
  }
}

function refuse(status: number): MapAnswer {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: new Uint8Array() }
}
