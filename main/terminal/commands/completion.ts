import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { openCatalogue } from '../../base/messages/catalogue.ts'
import type { Command, CommandGroup } from '../command.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { usageError } from '../output/usage.ts'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

interface CompletedCommand {
  words: string[]
  options: string[]
  summary: string
}

const commonOptions = ['--json', '--data', '--gateway', '--timeout', '--quiet', '--language', '--help']

/** The options stand in the usage line of each command, which `fitter help` shows too. */
function listCommands(groups: readonly CommandGroup[]): CompletedCommand[] {
  const find = openCatalogue('en')
  return groups
    .flatMap(({ commands }) => commands)
    .map(({ name, help }) => {
      const [usage = '', summary = ''] = (find(help) ?? '').split('\n')
      return {
        words: name.split(' '),
        options: [...new Set([...(usage.match(/--[a-z-]+/g) ?? []), ...commonOptions])],
        summary
      }
    })
}

/**
 * The words that may follow what is typed: after `device HOST`, for example, `read` and `call`. HOST stands for any
 * word.
 */
function followers(commands: readonly CompletedCommand[]): { typed: string[]; next: string[] }[] {
  const byTyped = new Map<string, Set<string>>()
  for (const { words } of commands) {
    for (const [index, word] of words.entries()) {
      if (word === 'HOST') continue
      const typed = words.slice(0, index).join(' ')
      byTyped.set(typed, (byTyped.get(typed) ?? new Set()).add(word))
    }
  }
  return [...byTyped].map(([typed, next]) => ({ typed: typed === '' ? [] : typed.split(' '), next: [...next] }))
}

/** Longer commands come first: `snapshot diff` before `snapshot`. */
function longestFirst(commands: readonly CompletedCommand[]): CompletedCommand[] {
  return [...commands].sort((a, b) => b.words.length - a.words.length)
}

const scripts: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = {
  bash,
  zsh,
  fish,
  powershell
}

/** A script that completes the words and options of `fitter` in a shell. */
export function completionScript(shell: Shell, groups: readonly CommandGroup[]): string {
  return scripts[shell](listCommands(groups))
}

const pattern = (words: readonly string[]): string => words.map((word) => (word === 'HOST' ? '*' : word)).join('\\ ')

function bash(commands: readonly CompletedCommand[]): string {
  return `# Completes "fitter" in bash.
_fitter() {
  local current=\${COMP_WORDS[COMP_CWORD]} typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" next=''
  case "$typed" in
${followers(commands)
  .map(({ typed, next }) => `    ${typed.length === 0 ? "''" : pattern(typed)}) next='${next.join(' ')}' ;;`)
  .join('\n')}
  esac
  case "$typed" in
${longestFirst(commands)
  .map(({ words, options }) => `    ${pattern(words)}*) next="$next ${options.join(' ')}" ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$current"))
  if [ -n "$typed" ] && [ "\${current#-}" = "$current" ]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _fitter fitter
`
}

function zsh(commands: readonly CompletedCommand[]): string {
  return `#compdef fitter
# Completes "fitter" in zsh.
local typed="\${(j: :)words[2,CURRENT-1]}"
case "$typed" in
${followers(commands)
  .map(({ typed, next }) => `  ${typed.length === 0 ? "''" : pattern(typed)}) compadd -- ${next.join(' ')} ;;`)
  .join('\n')}
esac
case "$typed" in
${longestFirst(commands)
  .map(({ words, options }) => `  ${pattern(words)}*) compadd -- ${options.join(' ')}; _files ;;`)
  .join('\n')}
esac
`
}

function fish(commands: readonly CompletedCommand[]): string {
  const expression = (words: readonly string[]): string =>
    words.map((word) => (word === 'HOST' ? '\\S+' : word)).join(' ')
  const summaries = new Map(commands.map(({ words, summary }) => [words.join(' '), summary]))
  const words = followers(commands).flatMap(({ typed, next }) =>
    next.map((word) => {
      const summary = summaries.get([...typed, word].join(' '))
      return `complete -c fitter -n "__fitter_typed '${expression(typed)}'" ${typed.length === 0 ? '-f ' : ''}-a ${word}${summary === undefined ? '' : ` -d '${summary.replaceAll("'", "\\'")}'`}`
    })
  )
  const own = commands.flatMap((command) =>
    command.options
      .filter((option) => !commonOptions.includes(option))
      .map((option) => `complete -c fitter -n "__fitter_typed '${expression(command.words)}.*'" -l ${option.slice(2)}`)
  )
  return `# Completes "fitter" in fish.
function __fitter_typed
  string match -qr -- "^$argv\\$" "$(string join ' ' -- (commandline -opc)[2..])"
end
${[...words, ...own, ...commonOptions.map((option) => `complete -c fitter -l ${option.slice(2)}`)].join('\n')}
`
}

function powershell(commands: readonly CompletedCommand[]): string {
  const expression = (words: readonly string[]): string =>
    words.map((word) => (word === 'HOST' ? '\\S+' : word)).join(' ')
  const list = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ')
  return `# Completes "fitter" in PowerShell: add ". <this file>" to your profile.
Register-ArgumentCompleter -Native -CommandName fitter -ScriptBlock {
  param($current, $line, $position)
  $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($current -ne '' -and $words.Count -gt 0) { $words = @($words | Select-Object -SkipLast 1) }
  $typed = $words -join ' '
  $next = @()
  switch -Regex -CaseSensitive ($typed) {
${followers(commands)
  .map(({ typed, next }) => `    '^${expression(typed)}$' { $next += ${list(next)} }`)
  .join('\n')}
  }
  switch -Regex -CaseSensitive ($typed) {
${longestFirst(commands)
  .map(({ words, options }) => `    '^${expression(words)}( |$)' { $next += ${list(options)}; break }`)
  .join('\n')}
  }
  $next | Where-Object { $_ -like "$current*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`
}

/** `fitter completion SHELL`: prints the script that completes commands in that shell. */
export const completionOf =
  (groups: readonly CommandGroup[]): Command =>
  ({ terminal }, [name, ...others]) => {
    const shell = shells.find((one) => one === name)
    if (shell === undefined || others.length > 0)
      throw usageError(message('terminal.completionNeedsShell', { shells: [...shells] }))
    const script = completionScript(shell, groups)
    // The terminal would show its line breaks as characters.
    if (terminal.isJson) terminal.result({ shell, script }, plainMessage(''))
    else process.stdout.write(script)
    return Promise.resolve(exitCodes.done)
  }
