import type { Json } from '../../../preload/contract/define.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { mostFileBytes, type TemplateFinding } from '../../../preload/contract/job/templates.ts'
import { sourceResourcesFolder } from '../../app/core.ts'
import { checkTemplate } from '../../job/jobs/checklists/checkTemplate.ts'
import { templateText } from '../../job/jobs/checklists/handlers.ts'
import { readHandedJson } from '../../job/jobs/checklists/readTemplateFile.ts'
import { templateSchemaJson } from '../../job/jobs/checklists/schema.ts'
import { shippedOrderNames } from '../../job/jobs/checklists/templates.ts'
import { loadShipped } from '../../job/jobs/checklists/shipped.ts'
import { openCatalogue } from '../../base/messages/catalogue.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { showJson } from '../output/outsideText.ts'
import { readBounded } from '../input/readBounded.ts'
import { usageError } from '../output/usage.ts'
import { writeOut } from '../output/writeOut.ts'

export const runTemplates: Command = async (context, [verb, name], values) => {
  switch (verb) {
    case 'list':
      return list(context)
    case 'check':
      return check(context, requireInput(name, message('terminal.theTemplate')))
    case 'import':
      return importFile(context, requireInput(name, message('terminal.theTemplate')))
    case 'export': {
      const { templates } = await context.core()
      return give(context, templates.open(requireInput(name, message('terminal.theTemplateId'))).template, values.out)
    }
    case 'schema':
      return give(context, templateSchemaJson(), values.out)
    default:
      throw usageError(message('terminal.takes', { what: 'templates', choices: 'list, check, import, export, schema' }))
  }
}

async function list(context: CommandContext): Promise<number> {
  const { terminal } = context
  const templates = (await context.core()).templates.list()
  const line = ({ id, version, name, origin }: (typeof templates)[number]) =>
    [id, String(version), terminal.text(message('templates.origin', { origin })), terminal.text(name)].join('  ')
  terminal.result(templates, templates.map(line).join('\n'))
  return exitCodes.done
}

/** Needs no data folder: a file is checked before it is stored. */
function check({ terminal }: CommandContext, file: string): number {
  const shipped = loadShipped(sourceResourcesFolder)
  const find = openCatalogue('en')
  const value = readHandedJson(readText(file))
  const { findings } = checkTemplate(value, {
    profile: shipped.standardProfile,
    hasText: (id) => find(id) !== undefined,
    orderNames: shippedOrderNames(shipped)
  })
  terminal.result(
    { ok: findings.length === 0, findings },
    findings.length === 0 ? message('templates.nothingFound') : inLines(findings, terminal.text)
  )
  return findings.length === 0 ? exitCodes.done : exitCodes.attention
}

async function importFile(context: CommandContext, file: string): Promise<number> {
  const { terminal } = context
  const text = readText(file)
  const kept = (await context.core()).templates.importText(text)
  const first =
    kept.outcome === 'refused'
      ? message('templates.refused')
      : message(kept.outcome === 'kept' ? 'templates.kept' : 'templates.unchanged', {
          id: kept.id,
          version: String(kept.version)
        })
  terminal.result(
    kept,
    [terminal.text(first), ...(kept.findings.length > 0 ? [inLines(kept.findings, terminal.text)] : [])].join('\n')
  )
  return kept.outcome === 'refused' ? exitCodes.usage : exitCodes.done
}

/** Always JSON: the result is a file, not a table for a person. */
function give({ terminal }: CommandContext, value: Json, out: string | undefined): number {
  const text = templateText(value as object)
  if (out === undefined) {
    terminal.result(value, showJson(text.trimEnd()))
    return exitCodes.done
  }
  writeOut(out, new TextEncoder().encode(text))
  terminal.result({ file: out }, message('terminal.fileWritten', { file: out }))
  return exitCodes.done
}

function readText(file: string): string {
  return readBounded(file, mostFileBytes).toString('utf8')
}

function inLines(findings: readonly TemplateFinding[], text: (what: Message | string) => string): string {
  return findings.map(({ path, level, what }) => text(message('templates.findingAt', { path, level, what }))).join('\n')
}
