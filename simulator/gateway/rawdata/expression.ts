/** A small language: arithmetic, comparison, and/or/not, casts; compiled once, evaluated per event. */

export type ValueType = 'number' | 'boolean' | 'string'
export type Row = (name: string) => unknown

export interface Compiled {
  type: ValueType
  fields: string[]
  evaluate(row: Row): unknown
}

export interface ExpressionOptions {
  typeOf(name: string): ValueType | undefined
  /** Field expressions use `@name`, filters use `name`. */
  areFieldsMarked: boolean
}

/** The problem with an expression, in words for the client. */
export class ExpressionError extends Error {}

type Token = { kind: 'number' | 'string' | 'field' | 'word' | 'sign'; text: string }

const tokenPattern =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|'([^']*)'|"([^"]*)"|@(\w+)|([A-Za-z_]\w*)|(>=|<=|==|!=|[-+*/()<>]))/y

function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < text.trimEnd().length) {
    const at = tokenPattern.lastIndex
    const match = tokenPattern.exec(text)
    if (!match) throw new ExpressionError(`cannot read the expression at ${text.slice(at, at + 12)}`)
    const [, number, single, double, marked, word, sign] = match
    if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (single !== undefined || double !== undefined) tokens.push({ kind: 'string', text: single ?? double ?? '' })
    else if (marked !== undefined) tokens.push({ kind: 'field', text: marked })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else tokens.push({ kind: 'sign', text: sign ?? '' })
  }
  return tokens
}

/** Compiles an expression; throws ExpressionError if it cannot be parsed or its types do not match. */
export function compileExpression(text: string, options: ExpressionOptions): Compiled {
  const tokens = readTokens(text)
  let at = 0

  const peek = (...texts: string[]): boolean => {
    const token = tokens[at]
    return token !== undefined && (token.kind === 'sign' || token.kind === 'word') && texts.includes(token.text)
  }
  const take = (): Token => {
    const token = tokens[at++]
    if (!token) throw new ExpressionError('the expression ends too early')
    return token
  }

  function readOr(): Compiled {
    let left = readAnd()
    while (peek('or')) left = logical(take().text, left, readAnd())
    return left
  }
  function readAnd(): Compiled {
    let left = readNot()
    while (peek('and')) left = logical(take().text, left, readNot())
    return left
  }
  function readNot(): Compiled {
    if (!peek('not')) return readComparison()
    take()
    const inner = readNot()
    requireType(inner, 'boolean', 'not')
    return { type: 'boolean', fields: inner.fields, evaluate: (row) => inner.evaluate(row) !== true }
  }
  function readComparison(): Compiled {
    const left = readSum()
    if (!peek('>', '<', '>=', '<=', '==', '!=')) return left
    return comparison(take().text, left, readSum())
  }
  function readSum(): Compiled {
    let left = readProduct()
    while (peek('+', '-')) left = arithmetic(take().text, left, readProduct())
    return left
  }
  function readProduct(): Compiled {
    let left = readUnary()
    while (peek('*', '/')) left = arithmetic(take().text, left, readUnary())
    return left
  }
  function readUnary(): Compiled {
    if (!peek('-')) return readPrimary()
    take()
    return arithmetic('-', constant('number', 0), readUnary())
  }
  function readPrimary(): Compiled {
    const token = take()
    if (token.kind === 'number') return constant('number', Number(token.text))
    if (token.kind === 'string') return constant('string', token.text)
    if (token.kind === 'sign' && token.text === '(') {
      const inner = readOr()
      if (take().text !== ')') throw new ExpressionError('a parenthesis is not closed')
      return inner
    }
    if (token.kind === 'word' && /^(true|false)$/i.test(token.text))
      return constant('boolean', token.text.toLowerCase() === 'true')
    if (token.kind === (options.areFieldsMarked ? 'field' : 'word')) return readField(token.text)
    throw new ExpressionError(`${token.text} does not belong here`)
  }
  function readField(text: string): Compiled {
    const [, name = text, cast] = /^(.*?)(?:__(str|int|float))?$/.exec(text) ?? []
    const type = options.typeOf(name)
    if (!type) throw new ExpressionError(`unknown field ${name}`)
    if (!cast) return { type, fields: [name], evaluate: (row) => row(name) ?? null }
    return { type: cast === 'str' ? 'string' : 'number', fields: [name], evaluate: (row) => castValue(row(name), cast) }
  }

  const result = readOr()
  if (at < tokens.length) throw new ExpressionError(`${tokens[at]?.text ?? ''} does not belong here`)
  return result
}

function constant(type: ValueType, value: unknown): Compiled {
  return { type, fields: [], evaluate: () => value }
}

function castValue(value: unknown, cast: string): unknown {
  if (value === null || value === undefined) return null
  if (cast === 'str') return String(value)
  const number = Number(value)
  if (Number.isNaN(number)) return null
  return cast === 'int' ? Math.trunc(number) : number
}

function requireType(operand: Compiled, type: ValueType, where: string): void {
  if (operand.type !== type) throw new ExpressionError(`${where} needs a ${type}, not a ${operand.type}`)
}

function logical(word: string, left: Compiled, right: Compiled): Compiled {
  requireType(left, 'boolean', word)
  requireType(right, 'boolean', word)
  const isTrue = (side: Compiled, row: Row): boolean => side.evaluate(row) === true
  return {
    type: 'boolean',
    fields: [...left.fields, ...right.fields],
    evaluate: (row) =>
      word === 'and' ? isTrue(left, row) && isTrue(right, row) : isTrue(left, row) || isTrue(right, row)
  }
}

function comparison(sign: string, left: Compiled, right: Compiled): Compiled {
  if (left.type !== right.type) throw new ExpressionError(`${sign} compares a ${left.type} with a ${right.type}`)
  return {
    type: 'boolean',
    fields: [...left.fields, ...right.fields],
    evaluate: (row) => {
      const a = left.evaluate(row) as number | string | boolean | null
      const b = right.evaluate(row) as number | string | boolean | null
      if (sign === '==') return a === b
      if (sign === '!=') return a !== b
      if (a === null || b === null) return false
      if (sign === '>') return a > b
      if (sign === '<') return a < b
      return sign === '>=' ? a >= b : a <= b
    }
  }
}

function arithmetic(sign: string, left: Compiled, right: Compiled): Compiled {
  const fields = [...left.fields, ...right.fields]
  const both = (row: Row, join: (a: never, b: never) => unknown): unknown => {
    const a = left.evaluate(row)
    const b = right.evaluate(row)
    return a === null || b === null ? null : join(a as never, b as never)
  }
  if (sign === '+' && left.type === 'string' && right.type === 'string') {
    return { type: 'string', fields, evaluate: (row) => both(row, (a: string, b: string) => a + b) }
  }
  if (left.type !== 'number' || right.type !== 'number')
    throw new ExpressionError(`${sign} cannot join a ${left.type} and a ${right.type}`)
  return {
    type: 'number',
    fields,
    evaluate: (row) =>
      both(row, (a: number, b: number) => {
        if (sign === '+') return a + b
        if (sign === '-') return a - b
        if (sign === '*') return a * b
        return b === 0 ? null : a / b
      })
  }
}
