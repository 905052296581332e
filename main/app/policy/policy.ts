import { readFileSync, statSync } from 'node:fs'
import { createScanner, parseTree, type Node, type ParseError } from 'jsonc-parser'
import { z } from 'zod'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import {
  policyKeys,
  type PolicyKey,
  type PolicyProblem,
  type PolicyState,
  type PolicyValues
} from '../../../preload/contract/app/policy.ts'
import { withoutMark } from '../../../preload/base/messages/utf8.ts'

const mostBytes = 1_000_000
/** A policy has at most five; reading a hostile depth would exhaust the stack. */
const mostLevels = 20
/** More do not help whoever mends the file. */
const mostProblems = 100
/** A long value would hide the sentence that quotes it. */
const mostShownLetters = 60

/** The policy of this computer: what could be read, and a sentence for each value that could not. */
export interface Policy {
  /** Where the file is expected; it need not be there. */
  readonly file: string
  readonly isThere: boolean
  readonly changedAt: string | null
  readonly values: PolicyValues
  readonly lines: ReadonlyMap<PolicyKey, number>
  readonly problems: readonly PolicyProblem[]
}

/**
 * Reads a policy file. Each value is judged alone: one that cannot be read is ignored and has a problem, and the others
 * apply, so a mistake in the file never keeps a technician from working. Comments are allowed.
 */
export function readPolicy(file: string): Policy {
  const nothing: Policy = { file, isThere: false, changedAt: null, values: {}, lines: new Map(), problems: [] }
  let text: string
  let changedAt: string
  try {
    const stat = statSync(file)
    const { mtime, size } = stat
    changedAt = mtime.toISOString()
    const there = { ...nothing, isThere: true, changedAt }
    // A pipe or a device might be read for ever.
    if (!stat.isFile() && !stat.isDirectory())
      return { ...there, problems: [{ line: 1, key: '', sentence: message('policy.notAFile') }] }
    if (size > mostBytes)
      return { ...there, problems: [{ line: 1, key: '', sentence: message('policy.tooLarge', { mostBytes }) }] }
    text = withoutMark(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code = '', message: why } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return nothing
    return {
      ...nothing,
      isThere: true,
      problems: [{ line: 1, key: '', sentence: message('policy.notOpened', { why }) }]
    }
  }
  return { ...nothing, isThere: true, changedAt, ...judge(text) }
}

/** The text of a policy file, for a person; empty when it cannot be opened or is too large. */
export function readPolicyText(file: string): string {
  try {
    const stat = statSync(file)
    return !stat.isFile() || stat.size > mostBytes ? '' : withoutMark(readFileSync(file, 'utf8'))
  } catch {
    // Its problem is already among those of the policy.
    return ''
  }
}

/** The values and problems of a policy text. */
export function judge(text: string): Pick<Policy, 'values' | 'lines' | 'problems'> {
  const lineOf = lineFinder(text)
  const tooDeepAt = findTooDeep(text)
  if (tooDeepAt !== undefined)
    return {
      values: {},
      lines: new Map(),
      problems: [{ line: lineOf(tooDeepAt), key: '', sentence: message('policy.tooDeep') }]
    }
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const problems: PolicyProblem[] = []
  const values: Record<string, unknown> = {}
  const lines = new Map<PolicyKey, number>()
  const first = errors[0]
  if (first !== undefined || root?.type !== 'object') {
    problems.push({ line: lineOf(first?.offset ?? 0), key: '', sentence: message('policy.notJson') })
    return { values: {}, lines, problems }
  }
  for (const [key, node, line] of leaves(root, '', lineOf)) {
    const add = (sentence: Message): number => problems.push({ line, key: shorten(key), sentence })
    if (!isKey(key)) add(message('policy.unknownKey', { key: shorten(key) }))
    else if (lines.has(key)) add(message('policy.twice', { key }))
    else {
      const read = policyKeys[key].safeParse(valueOf(node))
      if (read.success) values[key] = read.data
      else
        add(message('policy.wrongValue', { key, value: shorten(text.slice(node.offset, node.offset + node.length)) }))
      lines.set(key, line)
    }
  }
  if (
    values['gateway.others'] === false &&
    values['gateway.address'] === undefined &&
    values['gateway.sites'] === undefined
  ) {
    delete values['gateway.others']
    problems.push({
      line: lines.get('gateway.others') ?? 1,
      key: 'gateway.others',
      sentence: message('policy.othersNeedAddress', { key: 'gateway.others', other: 'gateway.address' })
    })
  }
  return { values, lines, problems: firstOf(problems) }
}

/** The first problems, and how many more there are. */
function firstOf(problems: PolicyProblem[]): PolicyProblem[] {
  const next = problems[mostProblems]
  return next === undefined
    ? problems
    : [
        ...problems.slice(0, mostProblems),
        { line: next.line, key: '', sentence: message('policy.moreProblems', { n: problems.length - mostProblems }) }
      ]
}

/** Where a text has more levels than a policy may have. The scanner knows texts and comments, and does not recurse. */
function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true)
  let level = 0
  // After a comment without an end, the end of the text has a length.
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const begin = text[scanner.getTokenOffset()]
    if (begin === '{' || begin === '[') level += 1
    else if (begin === '}' || begin === ']') level -= 1
    if (level > mostLevels) return scanner.getTokenOffset()
  }
  return undefined
}

/** The line of each offset; offsets are asked in ascending order, so that a long file is counted once. */
function lineFinder(text: string): (offset: number) => number {
  let at = 0
  let line = 1
  return (offset) => {
    for (let end = text.indexOf('\n', at); end >= 0 && end < offset; end = text.indexOf('\n', at)) {
      at = end + 1
      line += 1
    }
    return line
  }
}

/** Every value below the groups, with its dotted name. */
function* leaves(
  group: Node,
  prefix: string,
  lineOf: (offset: number) => number
): Generator<[key: string, value: Node, line: number]> {
  for (const property of group.children ?? []) {
    const [name, value] = property.children ?? []
    if (name === undefined || value === undefined || name.value === '$schema') continue
    const key = `${prefix}${String(name.value)}`
    // A group has no dot in its name yet: the value of maps.online is an object too.
    if (prefix === '' && value.type === 'object') yield* leaves(value, `${key}.`, lineOf)
    else yield [key, value, lineOf(property.offset)]
  }
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf)
  if (node.type === 'object')
    return Object.fromEntries(
      (node.children ?? []).map(({ children: [name, value] = [] }) => [name?.value, value && valueOf(value)])
    )
  return node.value as unknown
}

function isKey(key: string): key is PolicyKey {
  return Object.hasOwn(policyKeys, key)
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > mostShownLetters ? `${line.slice(0, mostShownLetters)} …` : line
}

/** The gateways that the company allows, the usual one first; undefined when others may be used too. */
export function gatewaysOf({ values }: Pick<Policy, 'values'>): string[] | undefined {
  const { 'gateway.address': address, 'gateway.sites': sites, 'gateway.others': others } = values
  if (sites === undefined && others !== false) return undefined
  return [...new Set([...(address === undefined ? [] : [address]), ...(sites ?? []).map((site) => site.address)])]
}

/** What decides where connections may lead. */
export interface ConnectionRule extends Pick<Policy, 'values'> {
  /** In training: the address of the simulated gateway, the only one that may be used. */
  simulated?: string | undefined
}

/**
 * AppError REFUSED for a gateway that may not be used: in training every one but the simulated one, otherwise each that
 * the company does not allow. Everyone who opens a connection to a gateway asks this first.
 */
export function refuseGateway(rule: ConnectionRule, url: string): void {
  if (rule.simulated !== undefined) {
    if (url !== rule.simulated) throw new AppError('REFUSED', message('training.onlySimulation'))
    return
  }
  const allowed = gatewaysOf(rule)
  if (allowed !== undefined && !allowed.includes(url))
    throw new AppError('REFUSED', message('policy.onlyGateway', { url: allowed }))
}

/** AppError REFUSED for a team log that may not be used; in training that is each one. */
export function refuseTeamServer({ values, simulated }: ConnectionRule, host: string): void {
  if (simulated !== undefined) throw new AppError('REFUSED', message('training.onlySimulation'))
  const only = values['team.server']
  if (only !== undefined && host !== only)
    throw new AppError('REFUSED', message('policy.onlyTeamServer', { host: only }))
}

/** The policy for training, which has a gateway and a network of its own. */
export function withoutConnections(policy: Policy): Policy {
  const values: PolicyValues = Object.fromEntries(
    Object.entries(policy.values).filter(([key]) => !/^(gateway|maps\.online)/.test(key))
  )
  return { ...policy, values }
}

/** The policy for the window and the terminal. */
export function showPolicy({ file, isThere, changedAt, values, lines, problems }: Policy): PolicyState {
  return {
    file,
    isThere,
    changedAt,
    company: values['company.name'] ?? '',
    contact: {
      name: values['contact.name'] ?? '',
      mail: values['contact.mail'] ?? '',
      phone: values['contact.phone'] ?? ''
    },
    values: [...lines].flatMap(([key, line]) => (values[key] === undefined ? [] : [{ key, value: values[key], line }])),
    problems: [...problems]
  }
}

/** The JSON schema of the file (`resources/policy.schema.json`), from the same definitions. */
export function policySchemaJson(): object {
  const groups: Record<string, Record<string, object>> = {}
  for (const [key, schema] of Object.entries(policyKeys)) {
    const [group = '', name = ''] = key.split('.')
    const { $schema: _, ...form } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>
    ;(groups[group] ??= {})[name] = form
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Fitter policy',
    description: 'What a company sets for Fitter on a computer.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(
        Object.entries(groups).map(([group, properties]) => [
          group,
          { type: 'object', additionalProperties: false, properties }
        ])
      )
    }
  }
}
