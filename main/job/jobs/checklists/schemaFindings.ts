import type { z } from 'zod'
import type { TemplateFinding } from '../../../../preload/contract/job/templates.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** The violations of a schema, as sentences for the author of the file. */
export function schemaFindings(issues: readonly Issue[], before: Path = []): TemplateFinding[] {
  return issues.flatMap((issue) => {
    const path = [...before, ...issue.path]
    if (issue.code === 'invalid_union' && issue.errors.length > 0) return schemaFindings(nearest(issue.errors), path)
    if (issue.code === 'invalid_key') return schemaFindings(issue.issues, path)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((field) =>
        templateFinding([...path, field], message('templates.finding.unknownField', { field }))
      )
    return [templateFinding(path, words(issue))]
  })
}

export function templateFinding(path: Path, what: Message, level: TemplateFinding['level'] = 'error'): TemplateFinding {
  return { path: writePath(path), level, what }
}

/** `steps[3].when.ordered` */
function writePath(path: Path): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`))
    .join('')
}

/** If several forms are possible, the one that the value violates least. */
function nearest(errors: readonly Issue[][]): readonly Issue[] {
  return errors.reduce((best, one) => (weight(one) < weight(best) ? one : best))
}

function weight(issues: readonly Issue[]): number {
  // A completely different form counts as further away than any number of small violations.
  return issues.reduce((sum, { path }) => sum + (path.length === 0 ? 3 : 1), 0)
}

function words(issue: Issue): Message {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('undefined')
        ? message('templates.finding.missing')
        : message('templates.finding.wrongKind', { expected: issue.expected })
    case 'invalid_value':
      return message('templates.finding.notOneOf', { choices: issue.values.map(String) })
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? message('templates.finding.tooShort', { least: Number(issue.minimum) })
        : message('templates.finding.tooSmall', { least: Number(issue.minimum) })
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? message('templates.finding.tooLong', { most: Number(issue.maximum) })
        : message('templates.finding.tooLarge', { most: Number(issue.maximum) })
    case 'invalid_format':
      return message('templates.finding.wrongForm', {
        form: issue.format === 'regex' && 'pattern' in issue ? String(issue.pattern) : issue.format
      })
    case 'invalid_union':
      return message('templates.finding.noSuchKind')
    default:
      return message('templates.finding.notRight')
  }
}
