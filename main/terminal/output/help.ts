import { message, type Message } from '../../../preload/contract/messages.ts'
import { openCatalogue } from '../../base/messages/catalogue.ts'
import { systemLanguage } from '../../base/messages/system.ts'
import type { Language } from '../../../preload/base/messages/settings.ts'
import type { CommandDefinition, CommandEnd } from '../command.ts'
import { commandGroups, findCommands } from '../commands/index.ts'

/** All commands, with a line for each. Its texts have no values, so that only the catalogue is read. */
export function commandOverview(language: Language = systemLanguage()): string {
  const find = openCatalogue(language)
  const width = Math.max(...commandGroups.flatMap(({ commands }) => commands.map(({ name }) => name.length)))
  const groups = commandGroups.map(({ title, commands }) =>
    [find(title), ...commands.map(({ name, help }) => `  ${name.padEnd(width)}  ${linesOf(find(help)).what}`)].join(
      '\n'
    )
  )
  return [find('terminalHelp.start'), ...groups, find('terminalHelp.common')].join('\n\n')
}

/** The usage, description and time limit of the commands with these words; undefined without one. */
export async function helpOf(
  words: readonly string[],
  language: Language = systemLanguage()
): Promise<string | undefined> {
  const found = findCommands(words)
  if (found.length === 0) return undefined
  const { say } = (await import('../../base/messages/texts.ts')).createTexts({ language })
  const find = openCatalogue(language)
  return found
    .map((one) =>
      [...linesOf(find(one.help)).all, ...ends(one).map(say)]
        .map((line, at) => (at === 0 ? line : `  ${line}`))
        .join('\n')
    )
    .join('\n\n')
}

/** The usage may take two lines; the second one begins with spaces. */
function linesOf(text = ''): { all: string[]; what: string } {
  const all = text.split('\n')
  return { all, what: all.slice(1).find((line) => !line.startsWith(' ')) ?? '' }
}

function ends({ end, longer }: CommandDefinition): Message[] {
  return [
    sayEnd(end),
    ...(longer ? [message('terminalHelp.withOption', { option: longer.option, end: sayEnd(longer.end) })] : [])
  ]
}

function sayEnd(end: CommandEnd): Message {
  if (end === 'person') return message('terminalHelp.endsWithPerson')
  return end === 'stopped'
    ? message('terminalHelp.endsWhenStopped')
    : message('terminalHelp.endsWithin', { withinS: end })
}

/** The manual page (roff, `man fitter`), from the same texts as `fitter help`. */
export async function manualPage(version: string): Promise<string> {
  const find = openCatalogue('en')
  const { say } = (await import('../../base/messages/texts.ts')).createTexts({ language: 'en' })
  const groups = commandGroups.map(({ title, commands }) => [
    `.SH ${roff(say({ id: title, values: {} })).toUpperCase()}`,
    ...commands.map((one) => {
      const [usage = '', ...about] = [...linesOf(find(one.help)).all, ...ends(one).map(say)]
      return ['.TP', `.B ${roff(usage)}`, ...about.map(roff).join('\n.br\n').split('\n')].join('\n')
    })
  ])
  const common = say(message('terminalHelp.common')).split('\n')
  return [
    `.TH FITTER 1 "" "Fitter ${version}"`,
    '.SH NAME',
    `fitter \\- ${roff(say(message('terminalHelp.purpose')))}`,
    '.SH SYNOPSIS',
    '.B fitter',
    'COMMAND [options]',
    ...groups.flat(),
    '.SH OPTIONS OF EVERY COMMAND',
    ...common.map(roff).join('\n.br\n').split('\n'),
    ''
  ].join('\n')
}

/** In roff a hyphen needs a backslash to be copied as one, and a dot at the start of a line is a request. */
function roff(text: string): string {
  return text.trim().replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&')
}
