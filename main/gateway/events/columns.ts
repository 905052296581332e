import type { Value } from '../../../preload/gateway/events/filter.ts'

/** The values of one field for very many events, in as little memory as possible. */
export interface Column {
  set(row: number, value: unknown): void
  at(row: number): Value
}

const first = 1_024

/** Numbers, flags or texts, whichever comes first; a value of another type turns it into a plain list. */
export function createColumn(): Column {
  let form: Column | undefined
  let list: Value[] | undefined
  let kind = ''
  return {
    set(row, given) {
      const value = valueOf(given)
      if (value === null && !form) return
      if (form && value !== null && kind !== 'any' && typeof value !== kind) {
        list = []
        for (let at = 0; at < row; at++) list[at] = form.at(at)
        form = anyOf(list)
        kind = 'any'
      }
      if (!form) {
        kind = typeof value
        form = kind === 'number' ? numbers() : kind === 'boolean' ? flags() : texts()
      }
      form.set(row, value)
    },
    at: (row) => form?.at(row) ?? null
  }
}

/** Only what a cell can show: a list or a record becomes its JSON. */
function valueOf(given: unknown): Value {
  if (given === undefined || given === null) return null
  if (typeof given === 'number') return Number.isFinite(given) ? given : null
  if (typeof given === 'boolean' || typeof given === 'string') return given
  return JSON.stringify(given)
}

function numbers(): Column {
  let held = new Float64Array(first).fill(NaN)
  return {
    set(row, value) {
      if (row >= held.length) held = enlarged(held, new Float64Array(sizeFor(row)).fill(NaN))
      held[row] = typeof value === 'number' ? value : NaN
    },
    at(row) {
      const value = held[row]
      return value === undefined || Number.isNaN(value) ? null : value
    }
  }
}

function flags(): Column {
  let held = new Uint8Array(first)
  return {
    set(row, value) {
      if (row >= held.length) held = enlarged(held, new Uint8Array(sizeFor(row)))
      held[row] = value === true ? 2 : value === false ? 1 : 0
    },
    at: (row) => (held[row] === 2 ? true : held[row] === 1 ? false : null)
  }
}

/** Texts repeat: each is stored once. */
function texts(): Column {
  let held = new Uint32Array(first)
  const known = new Map<string, number>()
  const list: string[] = ['']
  return {
    set(row, value) {
      if (row >= held.length) held = enlarged(held, new Uint32Array(sizeFor(row)))
      if (typeof value !== 'string') return void (held[row] = 0)
      let place = known.get(value)
      if (place === undefined) {
        place = list.push(value) - 1
        known.set(value, place)
      }
      held[row] = place
    },
    at: (row) => (held[row] ? (list[held[row] as number] ?? null) : null)
  }
}

function anyOf(list: Value[]): Column {
  return {
    set: (row, value) => void (list[row] = value as Value),
    at: (row) => list[row] ?? null
  }
}

function enlarged<List extends { set(values: ArrayLike<number>): void }>(held: ArrayLike<number>, larger: List): List {
  larger.set(held)
  return larger
}

function sizeFor(row: number): number {
  return 2 ** Math.ceil(Math.log2(row + 1))
}
