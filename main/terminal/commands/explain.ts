import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { ExplainedTerm } from '../../../preload/contract/app/knowledge.ts'
import { explained } from '../../support/knowledge/handlers.ts'
import { systemLanguage } from '../../base/messages/system.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'

/** The meaning of a status, a code or a field. Needs neither a data folder nor a connection. */
export const runExplain: Command = ({ terminal, common }, rest) => {
  const code = requireInput(rest.join(' '), message('terminal.theCode'))
  const { terms, nearest } = explained(code, { language: common.language ?? systemLanguage() })
  if (terms.length === 0) {
    const names = nearest.map(({ codes, name }) => `${codes[0] ?? name} (${name})`).join(', ')
    throw new AppError(
      'NOT_FOUND',
      nearest.length === 0
        ? message('terminal.notExplained', { code })
        : message('terminal.notExplainedNearest', { code, nearest: names })
    )
  }
  terminal.result(
    terms,
    terms
      .map((term) =>
        inLines(term, terminal.text(message('terminal.explainedWhere', { side: term.side, area: term.areaName })))
      )
      .join('\n\n')
  )
  return Promise.resolve(exitCodes.done)
}

function inLines({ name, codes, text }: ExplainedTerm, where: string): string {
  return [name, `  ${where}: ${codes.join(', ')}`, ...wrapped(text, 96).map((line) => `  ${line}`)].join('\n')
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
