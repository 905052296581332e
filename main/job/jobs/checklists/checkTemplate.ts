import { isMessage, message, writtenLanguages, type Message } from '../../../../preload/contract/messages.ts'
import type { Condition } from '../../../../preload/contract/job/steps/condition.ts'
import { stepKind, type TemplateStep } from '../../../../preload/contract/job/steps/index.ts'
import {
  template as templateSchema,
  type Template,
  type TemplateFinding
} from '../../../../preload/contract/job/templates.ts'
import type { Profile } from '../engine/profile.ts'
import { templateFinding, schemaFindings } from './schemaFindings.ts'

export interface CheckGround {
  /** Contains every limit that a checklist may change. */
  profile: Profile
  hasText(id: string): boolean
  /** Names for items in orders, besides the kinds and the checklist's own names. */
  orderNames: ReadonlySet<string>
}

type Path = readonly PropertyKey[]

/** Checks a checklist's form, then whether its steps are possible. Without errors the result contains it. */
export function checkTemplate(
  value: unknown,
  ground: CheckGround
): { template?: Template; findings: TemplateFinding[] } {
  const parsed = templateSchema.safeParse(value)
  if (!parsed.success) return { findings: schemaFindings(parsed.error.issues) }
  const template = parsed.data
  const findings = [
    ...idsOf(template),
    ...orderOf(template),
    ...template.steps.flatMap((step, index) =>
      conditionsOf(step.when, ['steps', index, 'when'], { template, index, ground })
    ),
    ...outputsOf(template),
    ...thresholdsOf(template, ground.profile),
    ...rangesOf(template, []),
    ...textsOf(template, [], ground)
  ]
  return { ...(findings.some(({ level }) => level === 'error') ? {} : { template }), findings }
}

function idsOf({ steps }: Template): TemplateFinding[] {
  const seen = new Set<string>()
  // A step for each ordered item numbers the items after the first: `camera-2`.
  const numbered = steps.filter(({ perItem }) => perItem).map(({ id }) => new RegExp(`^${id}-\\d+$`))
  return steps.flatMap(({ id }, index) => {
    const isTwice = seen.has(id)
    seen.add(id)
    if (isTwice) return [templateFinding(['steps', index, 'id'], message('templates.finding.idTwice', { step: id }))]
    return numbered.some((form) => form.test(id))
      ? [templateFinding(['steps', index, 'id'], message('templates.finding.idOfItem', { step: id }))]
      : []
  })
}

function orderOf({ steps }: Template): TemplateFinding[] {
  const of = (kind: string) => steps.flatMap((step, index) => (step.kind === kind ? [{ step, index }] : []))
  const [identities, signOffs] = [of('identity'), of('signOff')]
  const found: TemplateFinding[] = []
  if (identities.length === 0) found.push(templateFinding(['steps'], message('templates.finding.noIdentity')))
  if (signOffs.length === 0) found.push(templateFinding(['steps'], message('templates.finding.noSignOff')))
  for (const { index } of identities)
    if (index !== 0) found.push(templateFinding(['steps', index], message('templates.finding.identityFirst')))
  for (const { index } of signOffs)
    if (index !== steps.length - 1)
      found.push(templateFinding(['steps', index], message('templates.finding.signOffLast')))
  for (const { step, index } of [...identities, ...signOffs]) {
    if (step.when !== undefined)
      found.push(templateFinding(['steps', index, 'when'], message('templates.finding.alwaysWanted')))
    if (step.perItem === true)
      found.push(templateFinding(['steps', index, 'perItem'], message('templates.finding.alwaysWanted')))
  }
  return found
}

function conditionsOf(
  condition: Condition | undefined,
  path: Path,
  about: { template: Template; index: number; ground: CheckGround }
): TemplateFinding[] {
  if (condition === undefined) return []
  if ('not' in condition) return conditionsOf(condition.not, [...path, 'not'], about)
  if ('all' in condition)
    return condition.all.flatMap((part, index) => conditionsOf(part, [...path, 'all', index], about))
  if ('any' in condition)
    return condition.any.flatMap((part, index) => conditionsOf(part, [...path, 'any', index], about))
  if ('ordered' in condition)
    return isOrderName(condition.ordered, about)
      ? []
      : [templateFinding([...path, 'ordered'], message('templates.finding.noSuchOrder', { name: condition.ordered }))]
  if (!('answered' in condition)) return []
  const at = about.template.steps.findIndex(({ id }) => id === condition.answered.step)
  const where = [...path, 'answered', 'step']
  if (at < 0)
    return [templateFinding(where, message('templates.finding.noSuchStep', { step: condition.answered.step }))]
  return at < about.index
    ? []
    : [templateFinding(where, message('templates.finding.laterStep', { step: condition.answered.step }))]
}

function isOrderName(name: string, { template, ground }: { template: Template; ground: CheckGround }): boolean {
  return (
    stepKind.safeParse(name).success || ground.orderNames.has(name) || Object.hasOwn(template.orderNames ?? {}, name)
  )
}

function outputsOf({ steps }: Template): TemplateFinding[] {
  const isUndecided = (step: TemplateStep) => step.kind === 'output' && step.engineOff === undefined
  return steps.flatMap((step, index) =>
    isUndecided(step) ? [templateFinding(['steps', index, 'engineOff'], message('templates.finding.engineOff'))] : []
  )
}

function thresholdsOf({ thresholds = {} }: Template, profile: Profile): TemplateFinding[] {
  return Object.entries(thresholds).flatMap(([check, limits]) => {
    // A checklist must not change the rules that protect people while a relay is switched.
    if (check === 'output') return [templateFinding(['thresholds', check], message('templates.finding.outputLimits'))]
    const known = Object.hasOwn(limitsOfProfile(profile), check) ? limitsOfProfile(profile)[check] : undefined
    if (known === undefined)
      return [templateFinding(['thresholds', check], message('templates.finding.noSuchCheck', { name: check }))]
    return limitsOf(limits, known, ['thresholds', check])
  })
}

function limitsOf(limits: Record<string, number>, known: Record<string, number>, path: Path): TemplateFinding[] {
  const merged = { ...known, ...limits }
  return Object.entries(limits).flatMap(([name, value]) => {
    if (!Object.hasOwn(known, name))
      return [templateFinding([...path, name], message('templates.finding.noSuchLimit', { name }))]
    if (isTime(name) && value <= 0)
      return [templateFinding([...path, name], message('templates.finding.timeAboveZero'))]
    const passName = name.replace('warn', 'pass').replace('Warn', 'Pass')
    const warnName = passName.replace('pass', 'warn').replace('Pass', 'Warn')
    const isSwapped = isMore(merged, passName, warnName) === !isMore(known, passName, warnName)
    return isSwapped && merged[passName] !== merged[warnName]
      ? [
          templateFinding(
            [...path, name],
            message('templates.finding.passWithinWarn', { pass: passName, warn: warnName })
          )
        ]
      : []
  })
}

/** Undefined if there are no two limits to compare. */
function isMore(limits: Record<string, number>, one: string, other: string): boolean | undefined {
  const [first, second] = [limits[one], limits[other]]
  return one === other || first === undefined || second === undefined ? undefined : first > second
}

function isTime(name: string): boolean {
  return /(S|Ms|Min)$/.test(name)
}

/** `minV` and `maxV` of one item: `minV` must be below `maxV`. */
function rangesOf(value: unknown, path: Path): TemplateFinding[] {
  if (typeof value !== 'object' || value === null || isMessage(value)) return []
  const inner = Object.entries(value).flatMap(([name, field]) =>
    rangesOf(field, [...path, Array.isArray(value) ? Number(name) : name])
  )
  if (Array.isArray(value)) return inner
  const fields = value as Record<string, unknown>
  const own = Object.keys(fields).flatMap((name) => {
    if (!/^min([A-Z]|$)/.test(name)) return []
    const [least, most] = [fields[name], fields[`max${name.slice(3)}`]]
    return typeof least === 'number' && typeof most === 'number' && least >= most
      ? [templateFinding([...path, name], message('templates.finding.emptyRange', { least, most }))]
      : []
  })
  return [...own, ...inner]
}

function textsOf(value: unknown, path: Path, ground: CheckGround): TemplateFinding[] {
  if (typeof value !== 'object' || value === null) return []
  if (isMessage(value)) return textOf(value, path, ground)
  return Object.entries(value).flatMap(([name, field]) =>
    textsOf(field, [...path, Array.isArray(value) ? Number(name) : name], ground)
  )
}

function textOf(text: Message, path: Path, ground: CheckGround): TemplateFinding[] {
  const languages = writtenLanguages(text)
  if (languages === undefined)
    return ground.hasText(text.id)
      ? []
      : [templateFinding(path, message('templates.finding.noSuchText', { name: text.id }))]
  const missing = (['en', 'es'] as const).filter((language) => !languages.includes(language))
  return missing.map((language) =>
    templateFinding([...path, language], message('templates.finding.textMissing', { language }), 'warning')
  )
}

export function limitsOfProfile(profile: Profile): Record<string, Record<string, number>> {
  const { id: _id, version: _version, name: _name, output: _output, ...checks } = profile
  return checks
}
