import type { Json } from '../../../../preload/contract/define.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import {
  template as templateSchema,
  type ListedTemplate,
  type Template,
  type TemplateFinding,
  type TemplateSaved
} from '../../../../preload/contract/job/templates.ts'
import type { TemplateRow, TemplateStore } from '../../../data/store/jobs/templateStore.ts'
import type { Shipped } from './shipped.ts'
import { checkTemplate, type CheckGround } from './checkTemplate.ts'
import { readHandedJson } from './readTemplateFile.ts'
import { templateFinding } from './schemaFindings.ts'
import { sayTheSame, writeTemplate, type SayIn } from './written.ts'

export interface TemplatesOptions {
  shipped: Shipped
  rows: TemplateStore
  say: SayIn
  hasText(id: string): boolean
  /** False: the company allows only the offered checklists. */
  mayHaveOwn?: boolean
  reportFault(error: unknown): void
}

export type Templates = ReturnType<typeof createTemplates>

export function shippedOrderNames(shipped: Shipped): Set<string> {
  return new Set([...shipped.templates.values()].flatMap(({ orderNames }) => Object.keys(orderNames ?? {})))
}

export function createTemplates({ shipped, rows, say, hasText, mayHaveOwn = true, reportFault }: TemplatesOptions) {
  const ground = (): CheckGround => ({
    profile: shipped.standardProfile,
    hasText,
    orderNames: shippedOrderNames(shipped)
  })
  const read = new Map<string, Template>()

  /** A checklist from a later version of Fitter may contain parts that this version does not know. */
  function readRow(row: TemplateRow): Template {
    const name = `${row.id} ${row.version}`
    const present = read.get(name)
    if (present) return present
    const parsed = templateSchema.safeParse(row.content)
    if (!parsed.success)
      throw new AppError(
        'DATA_UNUSABLE',
        message('templates.notReadable', { id: row.id, version: String(row.version) }),
        { cause: parsed.error }
      )
    read.set(name, parsed.data)
    return parsed.data
  }

  function readable(row: TemplateRow): Template[] {
    try {
      return [readRow(row)]
    } catch (error) {
      // One unreadable checklist must not hide the others.
      reportFault(error)
      return []
    }
  }

  function find(id: string): Template | undefined {
    const row = mayHaveOwn ? rows.find(id) : undefined
    return shipped.templates.get(id) ?? (row && readRow(row))
  }

  function check(value: unknown): { template?: Template; findings: TemplateFinding[] } {
    return checkTemplate(value, ground())
  }

  function keep(value: unknown, version: (template: Template) => number): TemplateSaved {
    if (!mayHaveOwn) throw new AppError('REFUSED', message('policy.setByCompany'))
    const { template, findings } = check(value)
    if (!template) return { outcome: 'refused', findings }
    const { id } = template
    const present = find(id)
    if (present && sayTheSame(present, template, say))
      return { outcome: 'unchanged', id, version: present.version, findings }
    if (shipped.templates.has(id))
      return {
        outcome: 'refused',
        findings: [templateFinding(['id'], message('templates.finding.shipped', { id })), ...findings]
      }
    const row = {
      id,
      version: version(template),
      content: writeTemplate({ ...template, version: version(template) }, say)
    }
    rows.keep({ ...row, savedAt: new Date().toISOString() })
    return { outcome: 'kept', id, version: row.version, findings }
  }

  return {
    list: (): ListedTemplate[] => [
      ...[...shipped.templates.values()].map((template) => listed(template, 'shipped')),
      ...(mayHaveOwn ? rows.newest() : []).flatMap(readable).map((template) => listed(template, 'own'))
    ],
    find,
    /** The checklist in the form of a file. Throws NOT_FOUND. */
    open(id: string): { template: { [field: string]: Json }; origin: ListedTemplate['origin'] } {
      const template = find(id)
      if (!template) throw new AppError('NOT_FOUND', message('templates.noSuch', { id }))
      return { template: writeTemplate(template, say), origin: shipped.templates.has(id) ? 'shipped' : 'own' }
    },
    check,
    /** Stores a changed checklist as a new version. Throws CONFLICT if another version was stored in between. */
    save(value: unknown, basedOn: number | null): TemplateSaved {
      return keep(value, ({ id }) => {
        const present = rows.find(id)?.version ?? null
        if (present !== basedOn)
          throw new AppError(
            'CONFLICT',
            message(basedOn === null ? 'templates.idTaken' : 'templates.newerVersion', { id })
          )
        return rows.lastVersion(id) + 1
      })
    },
    /**
     * Stores the checklist from a file, as a new version if it exists already. Throws INVALID_REQUEST for any other
     * file.
     */
    importText(text: string): TemplateSaved {
      return keep(readHandedJson(text), ({ id, version }) => Math.max(version, rows.lastVersion(id) + 1))
    },
    remove(id: string): void {
      if (shipped.templates.has(id)) throw new AppError('INVALID_REQUEST', message('templates.shippedStay'))
      if (!rows.find(id)) throw new AppError('NOT_FOUND', message('templates.noSuch', { id }))
      rows.remove(id, new Date().toISOString())
    }
  }
}

function listed(
  { id, version, name, kind, description, steps }: Template,
  origin: ListedTemplate['origin']
): ListedTemplate {
  return { id, version, name, kind, description, steps: steps.length, origin }
}
