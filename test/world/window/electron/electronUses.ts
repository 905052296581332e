/**
 * Writes down what the shell does with an object of Electron, as statements of TypeScript: each property, call, event,
 * option and what a listener reads of its arguments. `electronTypes.ts` holds them against Electron's own type
 * definitions.
 */
export interface ElectronUses {
  /** The object as the shell sees it. `expression` is what it is called in TypeScript. */
  watch<T extends object>(target: T, expression: string): T
  statements(): string[]
}

const rawOf = Symbol('raw')

/** The object behind a watched one: what a test does with it is not written down. */
export function raw<T extends object>(watched: T): T {
  return (watched as { [rawOf]?: T })[rawOf] ?? watched
}

/** How an instance of a class is written. */
export const anInstanceOf = (name: string): string => `(0 as unknown as Electron.${name})`

/** Not asked by the shell, but by the language itself and by `EventEmitter`. */
const isOfLanguage = (name: string | symbol): boolean =>
  typeof name === 'symbol' || /^(then|toJSON|constructor|_events|_eventsCount|_maxListeners|domain)$/.test(name)

/** A listener or an answer that the shell gave: what it reads of each argument, calls of them, and what it returns. */
interface Listening {
  reads: Set<string>
  returned: Set<string>
  arity: number
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (value as { [rawOf]?: object })[rawOf] === undefined &&
  /^(Object)?$/.test((value as object).constructor?.name ?? '')

export function recordUses(): ElectronUses {
  const said: (() => string)[] = []
  const watched = new WeakMap<object, object>()

  /** A value as TypeScript writes it; of instances and classes only that there is one. */
  function written(value: unknown, listenings: ReadonlyMap<unknown, Listening>, depth = 0): string {
    const listening = listenings.get(value)
    if (listening) return writtenListener(listening)
    if (Array.isArray(value)) return `[${value.map((item) => written(item, listenings, depth + 1)).join(', ')}]`
    if (isPlain(value) && depth < 8)
      return `{ ${Object.entries(value)
        .map(([key, item]) => `${JSON.stringify(key)}: ${written(item, listenings, depth + 1)}`)
        .join(', ')} }`
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return JSON.stringify(value)
    return 'undefined as any'
  }

  function writtenListener({ reads, returned, arity }: Listening): string {
    const names = Array.from({ length: arity }, (_, index) => `a${index}`).join(', ')
    const results = [...returned]
    return `(${names}) => { ${[...reads].join('; ')}${results.length > 0 ? `; return ${results.length === 1 ? results[0] : `[${results.join(', ')}][0]`}` : ''} }`
  }

  /** An argument of a listener: what is read of it, and with what it is called. */
  function watchArgument(value: unknown, name: string, index: number, listening: Listening): unknown {
    const note = (text: string): void => {
      listening.reads.add(text)
      listening.arity = Math.max(listening.arity, index + 1)
    }
    if (typeof value === 'function') {
      return (...given: unknown[]) => {
        note(`${name}(${given.map((one) => written(one, new Map())).join(', ')})`)
        return (value as (...parameters: unknown[]) => unknown)(...given)
      }
    }
    if (!isPlain(value)) return value
    return new Proxy(value, {
      get(target, property) {
        if (property === rawOf) return target
        const found: unknown = Reflect.get(target, property)
        if (isOfLanguage(property)) return found
        const read = `read(${name}, ${JSON.stringify(String(property))})`
        note(read)
        return isPlain(found) ? watchArgument(found, read, index, listening) : found
      }
    })
  }

  function watchFunction(given: (...parameters: unknown[]) => unknown, listenings: Map<unknown, Listening>): unknown {
    const listening: Listening = { reads: new Set(), returned: new Set(), arity: 0 }
    const wrapped = (...parameters: unknown[]): unknown => {
      const result = given(...parameters.map((value, index) => watchArgument(value, `a${index}`, index, listening)))
      if (result !== undefined) listening.returned.add(written(result, new Map()))
      return result
    }
    listenings.set(wrapped, listening)
    return wrapped
  }

  /** The arguments of a call, with every function in their first level watched. */
  function watchParameters(given: readonly unknown[]): { passed: unknown[]; text: () => string } {
    const listenings = new Map<unknown, Listening>()
    const passed = given.map((value) =>
      typeof value === 'function' ? watchFunction(value as () => unknown, listenings) : value
    )
    return { passed, text: () => passed.map((value) => written(value, listenings)).join(', ') }
  }

  function watch<T extends object>(target: T, expression: string): T {
    const before = watched.get(target)
    if (before) return before as T
    const made = new Proxy(target, {
      get(inner, property) {
        if (property === rawOf) return inner
        if (isOfLanguage(property)) return Reflect.get(inner, property) as unknown
        const name = String(property)
        const member: unknown = Reflect.get(inner, property)
        const isMissing = !(property in inner)
        if (typeof member !== 'function' && !isMissing) {
          said.push(() => `${expression}.${name}`)
          return typeof member === 'object' &&
            member !== null &&
            !Array.isArray(member) &&
            (member as { [rawOf]?: object })[rawOf] === undefined
            ? watch(member, `${expression}.${name}`)
            : member
        }
        if (isMissing) said.push(() => `${expression}.${name}`)
        return (...given: unknown[]) => {
          const { passed, text } = watchParameters(given)
          said.push(() => `${expression}.${name}(${text()})`)
          return isMissing ? undefined : (member as (...parameters: unknown[]) => unknown).apply(inner, passed)
        }
      },
      set(inner, property, value) {
        said.push(() => `${expression}.${String(property)} = ${written(value, new Map())}`)
        return Reflect.set(inner, property, value)
      },
      construct(inner, given) {
        const name = expression.split('.').at(-1) ?? ''
        const { passed, text } = watchParameters(given as unknown[])
        said.push(() => `new ${expression}(${text()})`)
        return watch(
          Reflect.construct(inner as unknown as new (...parameters: unknown[]) => object, passed) as object,
          anInstanceOf(name)
        )
      }
    })
    watched.set(target, made)
    return made
  }

  return { watch, statements: () => [...new Set(said.map((say) => say()))] }
}
