/** A part of a large value: set at `path`, or added to the list or object there. */
export interface Piece {
  kind: 'piece'
  path: (string | number)[]
  add: boolean
  value: unknown
}

const valuesOfPiece = 5_000
/** A long text counts for several values. */
const lettersOfValue = 1_000

/** Splits a value into small pieces, containers before their contents. */
export function* takeApart(value: unknown, path: (string | number)[] = []): Generator<Piece, void, void> {
  if (sizeOf(value, valuesOfPiece) <= valuesOfPiece || typeof value !== 'object' || value === null) {
    yield { kind: 'piece', path, add: false, value }
    return
  }
  if (Array.isArray(value)) yield* takeListApart(value as unknown[], path)
  else yield* takeObjectApart(value as Record<string, unknown>, path)
}

function* takeListApart(list: unknown[], path: (string | number)[]): Generator<Piece, void, void> {
  yield { kind: 'piece', path, add: false, value: [] }
  let some: unknown[] = []
  let size = 0
  let done = 0
  for (const item of list) {
    const own = sizeOf(item, valuesOfPiece)
    if (own > valuesOfPiece || size + own > valuesOfPiece) {
      if (some.length > 0) yield { kind: 'piece', path, add: true, value: some }
      done += some.length
      some = []
      size = 0
    }
    if (own > valuesOfPiece) {
      yield* takeApart(item, [...path, done])
      done += 1
    } else {
      some.push(item)
      size += own
    }
  }
  if (some.length > 0) yield { kind: 'piece', path, add: true, value: some }
}

function* takeObjectApart(object: Record<string, unknown>, path: (string | number)[]): Generator<Piece, void, void> {
  yield { kind: 'piece', path, add: false, value: {} }
  let some: [string, unknown][] = []
  let size = 0
  for (const [key, field] of Object.entries(object)) {
    const own = sizeOf(field, valuesOfPiece)
    if (own > valuesOfPiece || size + own > valuesOfPiece) {
      if (some.length > 0) yield { kind: 'piece', path, add: true, value: Object.fromEntries(some) }
      some = []
      size = 0
    }
    if (own > valuesOfPiece) yield* takeApart(field, [...path, key])
    else {
      some.push([key, field])
      size += own
    }
  }
  if (some.length > 0) yield { kind: 'piece', path, add: true, value: Object.fromEntries(some) }
}

/** The number of values, counted up to just above `most`. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / lettersOfValue)
  if (typeof value !== 'object' || value === null) return 1
  let size = 1
  for (const item of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    size += sizeOf(item, most - size)
    if (size > most) return size
  }
  return size
}

/** Puts a piece where it belongs below `whole.value`. */
export function putPiece(whole: { value: unknown }, { path, add, value }: Piece): void {
  let above: unknown = whole
  let last: string | number = 'value'
  for (const key of path) {
    above = (above as Record<string | number, unknown>)[last]
    last = key
  }
  const place = above as Record<string | number, unknown>
  if (!add) {
    put(place, last, value)
  } else if (Array.isArray(value)) {
    const list = place[last] as unknown[]
    for (const item of value as unknown[]) list.push(item)
  } else {
    const object = place[last] as Record<string, unknown>
    for (const key of Object.keys(value as object)) put(object, key, (value as Record<string, unknown>)[key])
  }
}

/** An own property, also for a name that every object has. */
export function put(object: Record<string | number, unknown>, key: string | number, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  else object[key] = value
}
