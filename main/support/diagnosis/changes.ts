import type { Json } from '../../../preload/contract/define.ts'
import type { RecordedChange } from '../../../preload/contract/support/recording.ts'

type Path = RecordedChange['at']
type Tree = { [name: string]: Json }

/**
 * The changes that turn `before` into `after`. Lists of events grow at their beginning: only new items are included.
 */
export function changesBetween(before: Json, after: Json, at: Path = []): RecordedChange[] {
  if (isSame(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after)) return [changeOfList(before, after, at)]
  if (!isTree(before) || !isTree(after)) return [{ at, value: after }]
  return [
    ...Object.keys(before).flatMap((name) => (Object.hasOwn(after, name) ? [] : [{ at: [...at, name] }])),
    ...Object.entries(after).flatMap(([name, value]) =>
      Object.hasOwn(before, name)
        ? changesBetween(before[name] ?? null, value, [...at, name])
        : [{ at: [...at, name], value }]
    )
  ]
}

/** `before` with the changes applied; `before` itself is unchanged. Throws for an invalid path. */
export function applyChanges(before: Json, changes: readonly RecordedChange[]): Json {
  return changes.reduce(applyChange, before)
}

function changeOfList(before: Json[], after: Json[], at: Path): RecordedChange {
  const [first] = before
  const added = first === undefined ? -1 : after.findIndex((one) => isSame(one, first))
  const kept = after.length - added
  const isGrown =
    added >= 0 && kept <= before.length && after.slice(added).every((one, index) => isSame(one, before[index] as Json))
  return isGrown ? { at, front: after.slice(0, added), kept } : { at, value: after }
}

function applyChange(tree: Json, change: RecordedChange): Json {
  const [name, ...rest] = change.at
  if (name === undefined) {
    if (change.front !== undefined) {
      if (!Array.isArray(tree)) throw new TypeError('no list')
      return [...change.front, ...tree.slice(0, change.kept ?? 0)]
    }
    return change.value ?? null
  }
  if (!isTree(tree) || typeof name !== 'string') throw new TypeError('no such way')
  const { [name]: inner, ...others } = tree
  const isGone = rest.length === 0 && change.value === undefined && change.front === undefined
  if (isGone) return others
  if (rest.length > 0 && !Object.hasOwn(tree, name)) throw new TypeError('no such way')
  // Built from entries, so that a name like __proto__ is an ordinary name.
  return Object.fromEntries([...Object.entries(others), [name, applyChange(inner ?? null, { ...change, at: rest })]])
}

function isTree(value: Json | undefined): value is Tree {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function isSame(a: Json, b: Json): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, index) => isSame(one, b[index] as Json))
  if (!isTree(a) || !isTree(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name] as Json, b[name] as Json))
  )
}
