import { message, nameMessage, type Message } from '../../../../preload/contract/messages.ts'

/** Types of fields in the catalogue of `GET /rawdata`; others count as unknown and are accepted everywhere. */
export type FieldTypes = ReadonlyMap<string, string>
type ValueType = 'number' | 'boolean' | 'string' | 'unknown'

class ExpressionProblem extends Error {
  readonly sentence: Message

  constructor(sentence: Message) {
    super(nameMessage(sentence))
    this.sentence = sentence
  }
}

interface Token {
  kind: 'number' | 'text' | 'field' | 'word' | 'sign'
  text: string
}

/** The error in a `filter` ("Filter operators"); null without one. Fields have no prefix. */
export function checkFilter(text: string, types: FieldTypes): Message | null {
  return problemOf(() => {
    const type = parse(text, types, false)
    if (type !== 'boolean' && type !== 'unknown') throw new ExpressionProblem(message('rawdata.filterNotTruth'))
  })
}

/**
 * The error in one entry of `fields` ("Field expressions"): a field, a set, a rename or an expression. Null without
 * one.
 */
export function checkField(entry: string, types: FieldTypes, sets: ReadonlySet<string>): Message | null {
  return problemOf(() => {
    if (entry.startsWith('$')) {
      if (!sets.has(entry.slice(1))) throw new ExpressionProblem(message('rawdata.noSet', { name: entry }))
      return
    }
    const colon = entry.indexOf(':')
    if (colon < 0) {
      fieldType(entry, types)
      return
    }
    const name = entry.slice(0, colon)
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new ExpressionProblem(message('rawdata.noName', { name }))
    parse(entry.slice(colon + 1), types, true)
  })
}

function problemOf(work: () => void): Message | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof ExpressionProblem) return error.sentence
    throw error
  }
}

function fieldType(text: string, types: FieldTypes): ValueType {
  const [, name = text, cast] = /^(.*?)(?:__(str|int|float))?$/.exec(text) ?? []
  const type = types.get(name)
  if (type === undefined) throw new ExpressionProblem(message('rawdata.noField', { name }))
  if (cast !== undefined) return cast === 'str' ? 'string' : 'number'
  return type === 'number' || type === 'boolean' || type === 'string' ? type : 'unknown'
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  const pattern = /\s*(?:(\d+(?:\.\d+)?)|("[^"]*"|'[^']*')|@([A-Za-z_]\w*)|([A-Za-z_]\w*)|(>=|<=|==|!=|[-+*/()<>]))/y
  while (pattern.lastIndex < text.length) {
    if (text.slice(pattern.lastIndex).trim() === '') break
    const at = pattern.lastIndex
    const match = pattern.exec(text)
    if (!match)
      throw new ExpressionProblem(message('rawdata.notReadable', { text: text.slice(at).trim().slice(0, 20) }))
    const [, number, quoted, field, word, sign] = match
    if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted })
    else if (field !== undefined) tokens.push({ kind: 'field', text: field })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else tokens.push({ kind: 'sign', text: sign ?? '' })
  }
  return tokens
}

/** The type of an expression. Casts must match: the gateway refuses mixed types. */
function parse(text: string, types: FieldTypes, areFieldsMarked: boolean): ValueType {
  const tokens = readTokens(text)
  let at = 0
  const is = (...texts: string[]): boolean => {
    const token = tokens[at]
    return token !== undefined && (token.kind === 'sign' || token.kind === 'word') && texts.includes(token.text)
  }
  const take = (): Token => {
    const token = tokens[at++]
    if (!token) throw new ExpressionProblem(message('rawdata.endsTooEarly'))
    return token
  }
  const fits = (type: ValueType, wanted: ValueType): boolean => type === wanted || type === 'unknown'

  function join(read: () => ValueType, names: string[]): ValueType {
    let left = read()
    while (is(...names)) {
      const sign = take().text
      const right = read()
      if (!fits(left, 'boolean') || !fits(right, 'boolean'))
        throw new ExpressionProblem(message('rawdata.joinsTruths', { sign }))
      left = 'boolean'
    }
    return left
  }
  const readOr = (): ValueType => join(readAnd, ['or'])
  const readAnd = (): ValueType => join(readNot, ['and'])
  function readNot(): ValueType {
    if (!is('not')) return readComparison()
    take()
    if (!fits(readNot(), 'boolean')) throw new ExpressionProblem(message('rawdata.notNeedsTruth'))
    return 'boolean'
  }
  function readComparison(): ValueType {
    const left = readSum()
    if (!is('>', '<', '>=', '<=', '==', '!=')) return left
    const sign = take().text
    const right = readSum()
    if (left !== right && left !== 'unknown' && right !== 'unknown')
      throw new ExpressionProblem(message('rawdata.compares', { sign, left, right }))
    return 'boolean'
  }
  function arithmetic(read: () => ValueType, signs: string[]): ValueType {
    let left = read()
    while (is(...signs)) {
      const sign = take().text
      const right = read()
      if (sign === '+' && left === 'string' && right === 'string') continue
      if (!fits(left, 'number') || !fits(right, 'number'))
        throw new ExpressionProblem(message('rawdata.cannotJoin', { sign, left, right }))
      left = 'number'
    }
    return left
  }
  const readSum = (): ValueType => arithmetic(readProduct, ['+', '-'])
  const readProduct = (): ValueType => arithmetic(readUnary, ['*', '/'])
  function readUnary(): ValueType {
    if (!is('-')) return readPrimary()
    take()
    if (!fits(readUnary(), 'number')) throw new ExpressionProblem(message('rawdata.minusNeedsNumber'))
    return 'number'
  }
  function readPrimary(): ValueType {
    const token = take()
    if (token.kind === 'number') return 'number'
    if (token.kind === 'text') return 'string'
    if (token.kind === 'sign' && token.text === '(') {
      const inner = readOr()
      if (tokens[at++]?.text !== ')') throw new ExpressionProblem(message('rawdata.notClosed'))
      return inner
    }
    if (token.kind === 'word' && /^(true|false)$/i.test(token.text)) return 'boolean'
    if (token.kind === 'field' && areFieldsMarked) return fieldType(token.text, types)
    if (token.kind === 'word' && !areFieldsMarked && !['and', 'or', 'not'].includes(token.text))
      return fieldType(token.text, types)
    if (token.kind === 'word' && areFieldsMarked)
      throw new ExpressionProblem(message('rawdata.markField', { name: token.text }))
    throw new ExpressionProblem(message('rawdata.outOfPlace', { text: token.text }))
  }

  if (tokens.length === 0) throw new ExpressionProblem(message('rawdata.empty'))
  const type = readOr()
  const rest = tokens[at]
  if (rest) throw new ExpressionProblem(message('rawdata.outOfPlace', { text: rest.text }))
  return type
}
