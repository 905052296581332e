import {
  logLevels,
  logTopics,
  type ActivityKind,
  type LogEntry,
  type LogLevel,
  type LogTopic
} from '../../../preload/contract/app/activity.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import { message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import type { LogFile } from './logFile.ts'

export interface ActivityOptions {
  file: LogFile
  /** Removes secrets before anything is written or sent. */
  redact(value: unknown): unknown
  settings(): Pick<Settings, 'logLevels'>
  events: Teller
  /** `FITTER_LOG`, for this process. */
  environment?: string | undefined
  /** How the person reads: for the search, and for the words of an export. */
  texts(): { say(text: Message): string }
  /** Up to which entry a person has read, kept over restarts. */
  read: { get(): number; set(upTo: number): void }
  now?: () => Date
}

/** What to write; `level` defaults to info. */
export interface NewEntry {
  level?: LogLevel
  topic: LogTopic
  text: Message
  detail?: Message | null
  kind?: ActivityKind
  place?: LogEntry['place']
}

const usualLevel: LogLevel = 'info'
const gatherMs = 500
const exportedBytes = 4_000_000
const entriesAtOnce = 500

export type Activity = ReturnType<typeof createActivity>

/** `info`, or `device=debug,gateway=warning`; what cannot be read is left out. */
export function readLevels(text: string | undefined): Partial<Record<LogTopic, LogLevel>> {
  const asLevel = (word: string): LogLevel | undefined => logLevels.find((level) => level === word.trim())
  const found: Partial<Record<LogTopic, LogLevel>> = {}
  for (const part of (text ?? '').split(',')) {
    const [first = '', second] = part.split('=')
    const level = asLevel(second ?? first)
    if (level === undefined) continue
    for (const topic of logTopics) if (second === undefined || topic === first.trim()) found[topic] = level
  }
  return found
}

/** Whether an entry of this level belongs to a list of that one. */
export function isWithin(level: LogLevel, wanted: LogLevel): boolean {
  return logLevels.indexOf(level) <= logLevels.indexOf(wanted)
}

/** The log of Fitter's work in a data folder, and in it what happened while nobody looked. */
export function createActivity(options: ActivityOptions) {
  const { file, events } = options
  const now = options.now ?? (() => new Date())
  const given = readLevels(options.environment)
  const looking = new Set<string>()
  let away: { from: string; to: string } | null = null
  let awayFrom: string | null = null
  let timer: NodeJS.Timeout | undefined

  const levelOf = (topic: LogTopic): LogLevel => given[topic] ?? options.settings().logLevels[topic] ?? usualLevel

  function write(entry: NewEntry): void {
    const { level = usualLevel, topic, text, detail = null, kind, place = null } = entry
    // What the activity list shows is kept at every level of the log.
    if (kind === undefined && !isWithin(level, levelOf(topic))) return
    const left = file.takeLeftOut()
    if (left > 0)
      file.add({
        at: now().toISOString(),
        level: 'warning',
        topic: 'app',
        text: message('activity.leftOut', { n: left }),
        detail: null,
        kind: null,
        place: null
      })
    const clean = options.redact({ text, detail }) as { text: Message; detail: Message | null }
    const added = file.add({
      at: now().toISOString(),
      level,
      topic,
      ...clean,
      kind: kind ?? null,
      place,
      ...(looking.size > 0 ? { isSeen: true as const } : {})
    })
    if (kind !== undefined) events.tell('activity.added', { entry: added })
    timer ??= setTimeout(() => {
      timer = undefined
      events.tell('activity.logged', {})
    }, gatherMs)
    timer.unref()
  }

  const handlers: HandlersOf<'activity'> = {
    'activity.log': async ({ level, topic, search, before, limit }) => {
      const words = search.trim().toLowerCase()
      const { say } = options.texts()
      const all = await narrow(
        await file.read(),
        (entry) =>
          isWithin(entry.level, level) &&
          (words === '' || `${wordsOf(entry, say)} ${entry.topic}`.toLowerCase().includes(words))
      )
      const ofTopic = all.filter((entry) => topic === null || entry.topic === topic)
      const from = ofTopic.filter(({ n }) => before === undefined || n < before)
      const problem = file.problem()
      return {
        entries: from.slice(-limit).reverse(),
        more: from.length > limit,
        total: ofTopic.length,
        counts: Object.fromEntries(
          logTopics.map((one) => [one, all.filter((entry) => entry.topic === one).length])
        ) as Record<LogTopic, number>,
        problem: problem === null ? null : message('activity.notWritten', { why: problem })
      }
    },
    'activity.list': async ({ limit }) => {
      const entries = (await file.read()).filter(({ kind }) => kind !== null)
      return { entries: entries.slice(-limit).reverse(), readUpTo: options.read.get(), away }
    },
    'activity.markRead': ({ upTo }) => {
      options.read.set(Math.max(upTo, options.read.get()))
      return {}
    },
    'activity.looking': ({ view, isLooking }) => {
      const wasAway = looking.size === 0
      if (isLooking) looking.add(view)
      else looking.delete(view)
      const at = now().toISOString()
      if (looking.size === 0 && !wasAway) awayFrom = at
      if (looking.size > 0 && wasAway && awayFrom !== null) away = { from: awayFrom, to: at }
      return {}
    },
    'activity.levels': () => ({
      levels: Object.fromEntries(logTopics.map((topic) => [topic, levelOf(topic)])) as Record<LogTopic, LogLevel>,
      given: logTopics.filter((topic) => given[topic] !== undefined)
    }),
    'activity.open': ({ place }) => {
      events.tell('activity.open', { place })
      return {}
    },
    'activity.export': async () => {
      await file.flush()
      const { say } = options.texts()
      const entries = await file.read()
      const lines: string[] = []
      let bytes = 0
      for (const entry of entries.toReversed()) {
        // Once more: a secret may be known only since the entry was written.
        const line = `${JSON.stringify(options.redact({ ...entry, words: wordsOf(entry, say) }))}\n`
        bytes += Buffer.byteLength(line)
        if (bytes > exportedBytes) break
        lines.push(line)
      }
      return {
        fileName: `fitter-log-${now().toISOString().slice(0, 16).replaceAll(':', '-')}.jsonl`,
        text: lines.reverse().join(''),
        entries: lines.length
      }
    }
  }

  return {
    write,
    /** A fault in Fitter: its first line; the whole chain of causes is in the fault log. */
    noteFault(error: unknown): void {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      write({
        level: 'error',
        topic: 'app',
        text: message('activity.fault', { what: plainMessage(text.split('\n')[0]?.slice(0, 300) ?? '') })
      })
    },
    /** Whether any window is looked at now. */
    isLooking: (): boolean => looking.size > 0,
    handlers,
    async stop(): Promise<void> {
      clearTimeout(timer)
      await file.close()
    }
  }
}

function wordsOf({ text, detail }: LogEntry, say: (text: Message) => string): string {
  return [say(text), ...(detail === null ? [] : [say(detail)])].join(' ')
}

/** In pieces: putting thousands of lines into words takes longer than anything that watches an output may wait. */
async function narrow(entries: readonly LogEntry[], isWanted: (entry: LogEntry) => boolean): Promise<LogEntry[]> {
  const found: LogEntry[] = []
  for (let from = 0; from < entries.length; from += entriesAtOnce) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve))
    found.push(...entries.slice(from, from + entriesAtOnce).filter(isWanted))
  }
  return found
}
