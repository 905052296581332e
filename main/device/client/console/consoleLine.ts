import { parse } from 'shell-quote'

/** One program with its arguments, as a shell would start it. */
export interface ConsoleCommand {
  words: readonly ConsoleWord[]
}

export interface ConsoleWord {
  text: string
  /** The shell would replace this with file names or other words. */
  isPattern: boolean
}

export type UnreadableLine =
  | 'manyLines'
  | 'hiddenCharacters'
  | 'openQuote'
  | 'insideAnother'
  | 'function'
  | 'writesFile'
  | 'feedsInput'
  | 'comment'
  | 'notReadable'

/**
 * Splits a command line into programs; one that a shell could read differently is not split: `problem` gives the
 * reason.
 */
export function readConsoleLine(line: string): { commands: ConsoleCommand[] } | { problem: UnreadableLine } {
  if (/[\r\n\0]/.test(line)) return { problem: 'manyLines' }
  if (/[\p{Cf}\p{Zl}\p{Zp}]|(?!\t)\p{Cc}/u.test(line)) return { problem: 'hiddenCharacters' }
  const quoting = readQuoting(line)
  if (quoting !== undefined) return { problem: quoting }
  if (/\(\s*\)/.test(line)) return { problem: 'function' }
  // Redirections to /dev/null and from one stream to another write nothing.
  const rest = line
    .replace(/(?<=^|\s)(?:[012]|&)?>{1,2}\s*\/dev\/null(?=$|[\s;|&)])/g, ' ')
    .replace(/(?<=^|\s)[012]?>&[012](?=$|[\s;|&)])/g, ' ')
  return takeApart(rest)
}

/** Open quotes, and expansions outside single quotes: the parser ignores them. */
function readQuoting(line: string): UnreadableLine | undefined {
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string
    if (quote === "'") {
      if (character === "'") quote = ''
    } else if (character === '\\') {
      at += 1
      if (at === line.length) return 'openQuote'
    } else if (character === '$' || character === '`') return 'insideAnother'
    else if (character === quote) quote = ''
    else if (quote === '' && (character === "'" || character === '"')) quote = character
  }
  return quote === '' ? undefined : 'openQuote'
}

const separators: ReadonlySet<string> = new Set(['||', '&&', '|', '|&', ';', '&', '(', ')'])

function takeApart(line: string): { commands: ConsoleCommand[] } | { problem: UnreadableLine } {
  let entries
  try {
    entries = parse(line)
  } catch {
    // The parser itself refused the line: a shell would not run it either.
    return { problem: 'notReadable' }
  }
  const commands: ConsoleCommand[] = []
  let words: ConsoleWord[] = []
  for (const entry of entries) {
    if (typeof entry === 'string')
      words.push({
        text: entry,
        isPattern: /[*?[\]{}]/.test(entry) && entry !== '[' && entry !== ']' && !/^[{}]$/.test(entry)
      })
    else if ('comment' in entry) return { problem: 'comment' }
    else if (entry.op === 'glob') words.push({ text: entry.pattern, isPattern: true })
    else if (separators.has(entry.op)) {
      if (words.length > 0) commands.push({ words })
      words = []
    } else if (entry.op === '<') continue
    else return { problem: entry.op.includes('>') ? 'writesFile' : 'feedsInput' }
  }
  if (words.length > 0) commands.push({ words })
  return commands.length === 0 ? { problem: 'notReadable' } : { commands }
}
