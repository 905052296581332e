import fs from 'node:fs'
import path from 'node:path'
import { logLevels, logTopics, type LogEntry } from '../../../preload/contract/app/activity.ts'

/** The log keeps at most `files` files of `fileBytes`, the oldest are removed. */
const logLimits = {
  fileBytes: 1_000_000,
  files: 5,
  lineBytes: 8_000,
  waiting: 2_000,
  flushMs: 200,
  againMs: 30_000
} as const

export const logFolderName = 'log'
const fileName = 'fitter.jsonl'
const tailBytes = 64 * 1024
const linesPerPiece = 50
const mostKnown = 20_000

/** The calls that touch the disk; a test replaces them by a disk that is full. */
export interface LogDisk {
  makeFolder(folder: string): Promise<unknown>
  append(file: string, text: string): Promise<unknown>
  sizeOf(file: string): Promise<number>
  rename(from: string, to: string): Promise<unknown>
}

const realDisk: LogDisk = {
  makeFolder: (folder) => fs.promises.mkdir(folder, { recursive: true, mode: 0o700 }),
  append: (file, text) => fs.promises.appendFile(file, text, { mode: 0o600 }),
  sizeOf: (file) =>
    fs.promises.stat(file).then(
      ({ size }) => size,
      () => 0
    ),
  rename: (from, to) => fs.promises.rename(from, to)
}

export interface LogFileOptions {
  /** The folder of the log; null: nothing is written (a read-only data folder). */
  folder: string | null
  limits?: { fileBytes?: number; files?: number; waiting?: number }
  disk?: LogDisk
}

export type LogFile = ReturnType<typeof createLogFile>

/**
 * JSON lines in files that rotate. Adding never waits and never fails: lines are written a moment later, and when the
 * disk is full or read-only, the latest ones stay in memory, older ones are counted and left out, and writing is tried
 * again later.
 */
export function createLogFile({ folder, limits: own = {}, disk = realDisk }: LogFileOptions) {
  const limits = { ...logLimits, ...own }
  let waiting: LogEntry[] = []
  let leftOut = 0
  let problem: string | null = null
  let sizeBytes: number | undefined
  let next = folder === null ? 1 : lastNumber(folder) + 1
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let isClosed = false
  /** Read from the disk once: nobody else writes these files. */
  let known: LogEntry[] | undefined

  function soon(inMs: number): void {
    if (isClosed || folder === null) return
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, inMs)
    timer.unref()
  }

  function flush(): Promise<void> {
    return (writing = writing.then(write))
  }

  async function write(): Promise<void> {
    if (folder === null) return
    try {
      // In pieces: a flood in one would make one file as large as the flood.
      while (waiting.length > 0) await writePiece(folder, waiting.slice(0, linesPerPiece))
      problem = null
    } catch (error) {
      // How much of it is on the disk is unknown: the size is read again, and a line that is there twice is read once.
      sizeBytes = undefined
      problem = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error)
      soon(limits.againMs)
    }
  }

  async function writePiece(inFolder: string, entries: LogEntry[]): Promise<void> {
    const file = path.join(inFolder, fileName)
    const text = entries.map((entry) => toLine(entry, limits.lineBytes)).join('')
    await disk.makeFolder(inFolder)
    sizeBytes ??= await disk.sizeOf(file)
    if (sizeBytes > 0 && sizeBytes + Buffer.byteLength(text) > limits.fileBytes) await rotate(inFolder)
    await disk.append(file, text)
    sizeBytes += Buffer.byteLength(text)
    waiting = waiting.filter((entry) => !entries.includes(entry))
  }

  async function rotate(inFolder: string): Promise<void> {
    for (let n = limits.files - 1; n > 0; n--) {
      const from = path.join(inFolder, nameOf(n - 1))
      if ((await disk.sizeOf(from)) > 0) await disk.rename(from, path.join(inFolder, nameOf(n)))
    }
    sizeBytes = 0
  }

  return {
    add(entry: Omit<LogEntry, 'n'>): LogEntry {
      const numbered = { n: next++, ...entry }
      waiting.push(numbered)
      known?.push(numbered)
      if (waiting.length > limits.waiting) {
        waiting = waiting.slice(-Math.floor(limits.waiting / 2))
        leftOut += Math.ceil(limits.waiting / 2)
      }
      soon(problem === null ? limits.flushMs : limits.againMs)
      return numbered
    },
    flush,
    /** Why lines are not on the disk; null while they are. */
    problem: (): string | null => problem,
    /**
     * How many lines were left out since this was asked last, because they came too fast or the disk did not accept
     * them.
     */
    takeLeftOut(): number {
      const n = leftOut
      leftOut = 0
      return n
    },
    /** All entries, oldest first: of the files, then those that are not written yet. */
    async read(): Promise<readonly LogEntry[]> {
      await writing
      if (!known) {
        const written = folder === null ? [] : await readLogFolder(folder, limits.files)
        const last = written.at(-1)?.n ?? 0
        known = [...written, ...waiting.filter(({ n }) => n > last)]
      }
      if (known.length > mostKnown) known = known.slice(-mostKnown)
      return known
    },
    async close(): Promise<void> {
      await flush()
      isClosed = true
      clearTimeout(timer)
    }
  }
}

const nameOf = (n: number): string => (n === 0 ? fileName : `fitter.${String(n)}.jsonl`)

/** One line for each entry: JSON escapes every line break, so no text from outside can forge another one. */
function toLine(entry: LogEntry, mostBytes: number): string {
  const line = JSON.stringify(entry)
  if (Buffer.byteLength(line) <= mostBytes) return `${line}\n`
  return `${JSON.stringify({ ...entry, text: { id: entry.text.id, values: {} }, detail: null })}\n`
}

/** The entries of a log folder, oldest first. Lines that are cut or changed are left out. */
export async function readLogFolder(folder: string, files: number = logLimits.files): Promise<LogEntry[]> {
  const texts = await Promise.all(
    Array.from({ length: files }, (_, n) =>
      fs.promises.readFile(path.join(folder, nameOf(files - 1 - n)), 'utf8').catch(() => '')
    )
  )
  const entries = new Map<number, LogEntry>()
  for (const line of texts.join('').split('\n')) {
    const entry = parseLine(line)
    if (entry) entries.set(entry.n, entry)
  }
  return [...entries.values()]
}

/** Undefined for anything that is not an entry. */
function parseLine(line: string): LogEntry | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const entry: unknown = JSON.parse(line)
    return isEntry(entry) ? entry : undefined
  } catch {
    // A line that was cut when the computer stopped.
    return undefined
  }
}

/** The number of the last entry, from the end of the newest file. */
function lastNumber(folder: string): number {
  for (const n of [0, 1]) {
    try {
      const handle = fs.openSync(path.join(folder, nameOf(n)), 'r')
      try {
        const { size } = fs.fstatSync(handle)
        const bytes = Buffer.alloc(Math.min(size, tailBytes))
        fs.readSync(handle, bytes, 0, bytes.length, Math.max(0, size - bytes.length))
        const numbers = bytes
          .toString('utf8')
          .split('\n')
          .flatMap((line) => parseLine(line)?.n ?? [])
        if (numbers.length > 0) return Math.max(...numbers)
      } finally {
        fs.closeSync(handle)
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
  return 0
}

/** By hand: a whole log has thousands of lines, and a schema takes longer for each than reading it does. */
function isEntry(value: unknown): value is LogEntry {
  if (typeof value !== 'object' || value === null) return false
  const { n, at, level, topic, text, detail, kind } = value as Partial<Record<keyof LogEntry, unknown>>
  const isText = (one: unknown): boolean =>
    typeof one === 'object' &&
    one !== null &&
    'id' in one &&
    typeof one.id === 'string' &&
    'values' in one &&
    typeof one.values === 'object'
  return (
    typeof n === 'number' &&
    typeof at === 'string' &&
    logLevels.some((one) => one === level) &&
    logTopics.some((one) => one === topic) &&
    isText(text) &&
    (detail === null || isText(detail)) &&
    (kind === null || typeof kind === 'string')
  )
}
