import type { Sparse } from '../../preload/contract/deviceAreas.ts'

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** What this folder needs of a schema of the contract. */
export interface RecordSchema<T> {
  safeParse(data: unknown): { success: true; data: T } | { success: false; error: { readonly issues: readonly Issue[] } }
}

export type RecordResult<T> =
  | { kind: 'read'; value: Sparse<T>; problems: string[] }
  /** Not even the outer form is right: nothing of it may be used. */
  | { kind: 'unreadable'; reason: string }

const maxProblems = 40

/**
 * Reads `data` by `schema`: what does not fit is left out and named in `problems`, the rest is kept.
 * `data` is changed in place, so the caller gives a copy of its own.
 */
export function readRecord<T>(schema: RecordSchema<T>, data: unknown): RecordResult<T> {
  const result = schema.safeParse(data)
  if (result.success) return { kind: 'read', value: data as Sparse<T>, problems: [] }
  const issues = result.error.issues
  const outer = issues.find((issue) => issue.path.length === 0 || isMissingOuter(data, issue))
  if (outer) return { kind: 'unreadable', reason: describe(outer) }
  const lists = new Map<unknown[], Set<number>>()
  for (const issue of issues) remove(data, issue.path, lists)
  for (const [list, indexes] of lists) {
    const kept = list.filter((_, index) => !indexes.has(index))
    list.splice(0, list.length, ...kept)
  }
  const problems = issues.slice(0, maxProblems).map(describe)
  if (issues.length > maxProblems) problems.push(`and ${issues.length - maxProblems} more fields that could not be read`)
  return { kind: 'read', value: data as Sparse<T>, problems }
}

/** `data` of an envelope or another required field of the outermost object that is of a wrong kind. */
function isMissingOuter(data: unknown, issue: Issue): boolean {
  return issue.path.length === 1 && issue.path[0] === 'data' && !Array.isArray((data as { data?: unknown }).data)
}

function remove(root: unknown, path: readonly PropertyKey[], lists: Map<unknown[], Set<number>>): void {
  let parent: unknown = root
  for (const key of path.slice(0, -1)) {
    if (parent === null || typeof parent !== 'object') return
    parent = (parent as Record<PropertyKey, unknown>)[key]
  }
  if (parent === null || typeof parent !== 'object') return
  const last = path.at(-1)
  if (last === undefined) return
  if (Array.isArray(parent) && typeof last === 'number') {
    const indexes = lists.get(parent) ?? new Set<number>()
    indexes.add(last)
    lists.set(parent, indexes)
  } else {
    delete (parent as Record<PropertyKey, unknown>)[last]
  }
}

function describe(issue: Issue): string {
  const path = issue.path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`))
    .join('')
  return path === '' ? issue.message : `${path}: ${issue.message}`
}
