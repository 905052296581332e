import { baseName, findDestruction, type Destruction } from './consoleDestruction.ts'
import { isHarmless } from './consoleHarmless.ts'
import { readConsoleLine, type ConsoleCommand, type UnreadableLine } from './consoleLine.ts'

export type Refusal = Destruction | UnreadableLine | 'cannotBeSeen' | 'programUnknown'

/**
 * free: known as read-only. confirm: a person repeats it first. refused: destructive or unreadable; confirmation does
 * not help.
 */
export type Verdict = { kind: 'free' } | { kind: 'confirm' } | { kind: 'refused'; why: Refusal; name: string }

/** They run the command that follows them, and add nothing that would need confirmation. */
const plainWrappers: ReadonlyMap<string, { flags: RegExp; values: RegExp; before: number }> = new Map([
  ['sudo', { flags: /^-[nEHSbk]+$/, values: /^-[ugp]$/, before: 0 }],
  ['doas', { flags: /^-n$/, values: /^-u$/, before: 0 }],
  ['nice', { flags: /^-\d+$/, values: /^-n$/, before: 0 }],
  ['ionice', { flags: /^-t$/, values: /^-[cn]$/, before: 0 }],
  ['timeout', { flags: /^--(foreground|preserve-status)$/, values: /^-[sk]$/, before: 1 }],
  ['time', { flags: /^-[pv]$/, values: /^$/, before: 0 }],
  ['command', { flags: /^-[vVp]$/, values: /^$/, before: 0 }],
  ['busybox', { flags: /^$/, values: /^$/, before: 0 }],
  ['toybox', { flags: /^$/, values: /^$/, before: 0 }]
])

/** Shell keywords before the program of a command. */
const keywords = /^(if|then|else|elif|fi|while|until|do|done|esac|!|\{|\})$/
const namesSomething = /^(for|case|select|function|coproc)$/
/** They run code from a file, from their input or in another language, which cannot be inspected here. */
const shells = /^(sh|ash|bash|dash|zsh|ksh|mksh|csh|tcsh|fish)$/
const interpreters =
  /^(eval|source|python[\d.]*|perl|ruby|lua[\d.]*|php\d*|awk|gawk|mawk|nawk|expect|socat|ssh|telnet|screen|tmux)$/
const onlyInFirstPlace =
  /^(\.|exec|node|ed|ex|vi|vim|nano|nc|ncat|openssl|make|alias|trap|parallel|at|batch|gdb|strace)$/

/** Checks a console line against the free and the refused commands. It proves nothing: the device has its own guard. */
export function judgeCommand(line: string): Verdict {
  const read = readConsoleLine(line)
  if ('problem' in read) return { kind: 'refused', why: read.problem, name: '' }
  const verdicts = read.commands.map(judgeOne)
  return (
    verdicts.find(({ kind }) => kind === 'refused') ??
    verdicts.find(({ kind }) => kind === 'confirm') ?? { kind: 'free' }
  )
}

/** A command that is not known to only read may restart the device or change its network. */
export function commandMayCutLink(line: string): boolean {
  return judgeCommand(line).kind !== 'free'
}

function judgeOne({ words }: ConsoleCommand): Verdict {
  const texts = words.map(({ text }) => text)
  const { program, args, isPlain } = unwrap(texts)
  if (isPlain && program !== undefined && isHarmless(baseName(program), args) && isPath(program))
    return { kind: 'free' }

  const destruction = findDestruction(texts)
  if (destruction) return { kind: 'refused', ...destruction }
  // Only keywords: the end of an `if` or of a loop.
  if (program === undefined) return { kind: 'confirm' }
  if (isUnseen(words, texts, program)) return { kind: 'refused', why: 'programUnknown', name: '' }
  return judgeInterpreters(texts, program)
}

/** A program with a folder must be a system program: the list is only about those. */
function isPath(program: string): boolean {
  return !program.includes('/') || /^\/(usr\/)?(local\/)?s?bin\/[\w.+-]+$/.test(program)
}

function unwrap(words: readonly string[]): { program: string | undefined; args: readonly string[]; isPlain: boolean } {
  const rest = [...words]
  let isPlain = true
  for (;;) {
    const [first] = rest
    if (first === undefined) return { program: undefined, args: [], isPlain: false }
    if (keywords.test(first) || /^\w+\+?=/.test(first) || namesSomething.test(first)) {
      isPlain = false
      rest.shift()
      continue
    }
    const wrapper = plainWrappers.get(baseName(first))
    if (!wrapper || !isPath(first)) return { program: first, args: rest.slice(1), isPlain }
    rest.shift()
    while (rest[0]?.startsWith('-')) {
      const option = rest.shift() as string
      if (wrapper.values.test(option)) rest.shift()
      else if (!wrapper.flags.test(option)) isPlain = false
    }
    if (wrapper.before > 0 && !rest.splice(0, wrapper.before).every((value) => /^[\d.]+[smhd]?$/.test(value)))
      isPlain = false
  }
}

/** A pattern in place of a program: the shell on the device decides which program it is. */
function isUnseen(words: ConsoleCommand['words'], texts: readonly string[], program: string): boolean {
  if (program === '') return true
  const isWrapped = baseName(texts[0] ?? '') !== baseName(program) || !/^[a-z][\w.+-]*$/i.test(baseName(program))
  return words.some(
    ({ text, isPattern }, at) => isPattern && (text === program || isWrapped || at === 0 || /(^|\/)s?bin\//.test(text))
  )
}

function judgeInterpreters(texts: readonly string[], program: string): Verdict {
  if (onlyInFirstPlace.test(baseName(program))) return { kind: 'refused', why: 'cannotBeSeen', name: baseName(program) }
  for (const [at, text] of texts.entries()) {
    const name = baseName(text)
    if (interpreters.test(name)) return { kind: 'refused', why: 'cannotBeSeen', name }
    if (!shells.test(name)) continue
    // `sh -c "..."`: the text after it is judged like a separate line.
    const [option, line] = texts.slice(at + 1)
    if (option === undefined || line === undefined || !/^-[a-z]*c$/.test(option))
      return { kind: 'refused', why: 'cannotBeSeen', name }
    const inner = judgeCommand(line)
    if (inner.kind === 'refused') return inner
  }
  return { kind: 'confirm' }
}
