import fs from 'node:fs'

/** A SQLite file page by page, as it is on the disk, with newer pages from its write-ahead log. */
export type PageFile = ReturnType<typeof openPages>

const walHeaderBytes = 32
const frameHeaderBytes = 24
const usualPageBytes = 4096

/** Trusts nothing in the file: unreadable pages are missing. Throws errors of the file system. */
export function openPages(file: string, { withLog }: { withLog: boolean }) {
  const handle = fs.openSync(file, 'r')
  const log = withLog ? openLog(`${file}-wal`) : undefined
  const sizeBytes = fs.fstatSync(handle).size
  const pageBytes = log?.pageBytes ?? readPageBytes(handle)
  /** The number of pages; they are numbered from 1. */
  const pages = Math.max(Math.ceil(sizeBytes / pageBytes), log?.pages ?? 0)
  const buffer = Buffer.alloc(pageBytes)

  /** One page; undefined beyond the end of the file. The bytes are valid only until the next page is read. */
  function page(number: number): Buffer | undefined {
    if (number < 1 || number > pages) return undefined
    const newer = log?.offsetOf.get(number)
    buffer.fill(0)
    const length =
      newer === undefined
        ? fs.readSync(handle, buffer, 0, pageBytes, (number - 1) * pageBytes)
        : fs.readSync(log?.handle ?? handle, buffer, 0, pageBytes, newer)
    return length === 0 ? undefined : buffer
  }

  return {
    pageBytes,
    pages,
    page,
    /** A page as a copy of its own. */
    keptPage(number: number): Buffer | undefined {
      const read = page(number)
      return read && Buffer.from(read)
    },
    close(): void {
      fs.closeSync(handle)
      if (log) fs.closeSync(log.handle)
    }
  }
}

/** The header itself may be damaged: then the page size that all our files have. */
function readPageBytes(handle: number): number {
  const head = Buffer.alloc(18)
  fs.readSync(handle, head, 0, 18, 0)
  const said = head.readUInt16BE(16)
  return head.toString('latin1', 0, 15) === 'SQLite format 3' && isPowerOfTwo(said) && said >= 512
    ? said
    : usualPageBytes
}

function isPowerOfTwo(n: number): boolean {
  return n > 0 && (n & (n - 1)) === 0
}

interface Log {
  handle: number
  pageBytes: number
  pages: number
  /** The location of the newest copy of a page. */
  offsetOf: Map<number, number>
}

/** The committed content of a write-ahead log, each frame by its own checksum: a damaged frame loses only itself. */
function openLog(file: string): Log | undefined {
  if (!fs.existsSync(file)) return undefined
  const handle = fs.openSync(file, 'r')
  const head = Buffer.alloc(walHeaderBytes)
  const length = fs.readSync(handle, head, 0, walHeaderBytes, 0)
  const magic = head.readUInt32BE(0)
  const pageBytes = head.readUInt32BE(8)
  if (length < walHeaderBytes || (magic >>> 1) << 1 !== 0x377f0682 || !isPowerOfTwo(pageBytes) || pageBytes < 512) {
    fs.closeSync(handle)
    return undefined
  }
  const isBigEndian = (magic & 1) === 1
  const salts = head.subarray(16, 24)
  let sum = checksum(head.subarray(0, 24), [0, 0], isBigEndian)
  const frame = Buffer.alloc(frameHeaderBytes + pageBytes)
  const offsetOf = new Map<number, number>()
  let pending = new Map<number, number>()
  let pages = 0
  const sizeBytes = fs.fstatSync(handle).size
  for (let at = walHeaderBytes; at + frame.length <= sizeBytes; at += frame.length) {
    fs.readSync(handle, frame, 0, frame.length, at)
    // Frames of an earlier round of the log have other salts.
    if (!frame.subarray(8, 16).equals(salts)) break
    sum = checksum(frame.subarray(0, 8), sum, isBigEndian)
    sum = checksum(frame.subarray(frameHeaderBytes), sum, isBigEndian)
    const said: Sum = [frame.readUInt32BE(16), frame.readUInt32BE(20)]
    if (sum[0] === said[0] && sum[1] === said[1]) pending.set(frame.readUInt32BE(0), at + frameHeaderBytes)
    else sum = said
    const pagesAfter = frame.readUInt32BE(4)
    if (pagesAfter === 0) continue
    for (const [number, offset] of pending) offsetOf.set(number, offset)
    pending = new Map()
    pages = Math.max(pages, pagesAfter < 0x7fffffff && pagesAfter <= sizeBytes ? pagesAfter : 0)
  }
  return { handle, pageBytes, pages, offsetOf }
}

type Sum = [number, number]

function checksum(bytes: Buffer, [first, second]: Sum, isBigEndian: boolean): Sum {
  let one = first
  let two = second
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const left = isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)
    const right = isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)
    one = (one + left + two) >>> 0
    two = (two + right + one) >>> 0
  }
  return [one, two]
}
