import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'

export interface CoreText {
  file: string
  /** The text with `Q1`, `Q2` … for what is filled in. */
  text: string
}

const mostVariants = 16

/** Every text of the sources that may reach the window: strings with words, and the labels and values of meters. */
export function readCoreTexts(patterns: string[]): CoreText[] {
  return globSync(patterns).sort().flatMap((file) => readFile(file))
}

function readFile(file: string): CoreText[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const texts = new Set<string>()

  function visit(node: ts.Node, isMeter: boolean): void {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node) || isInternal(node)) return
    if (isText(node)) {
      for (const text of variants(node)) {
        const clean = tidy(text)
        if (isMeter ? hasWords(clean) : isSentence(clean)) texts.add(clean)
      }
      // What is asked inside a placeholder may hold words of its own.
      for (const call of callsWithin(node)) ts.forEachChild(call, (child) => visit(child, false))
      return
    }
    const inMeter = isMeter || (ts.isCallExpression(node) && node.expression.getText() === 'meter')
    ts.forEachChild(node, (child) => {
      const isSide = ts.isPropertyAssignment(node) && !['unit', 'target'].includes(node.name.getText())
      visit(child, inMeter && !isSide && !isTest(child))
    })
  }
  visit(source, false)
  return [...texts].map((text) => ({ file, text }))
}

function isText(node: ts.Node): node is ts.Expression {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node) || isJoined(node)
}

function isJoined(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken && (isText(node.left) || isText(node.right))
}

/** A comparison or a condition, not something that is shown. */
function isTest(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && /^[=!]==$/.test(node.operatorToken.getText())
}

/** Faults of the program itself, which reach the fault log and not the window. */
function isInternal(node: ts.Node): boolean {
  return ts.isNewExpression(node) && /^(Type|Range)?Error$/.test(node.expression.getText())
}

let filled = 0

function variants(node: ts.Expression): string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (ts.isParenthesizedExpression(node)) return variants(node.expression)
  if (ts.isConditionalExpression(node)) return [...variants(node.whenTrue), ...variants(node.whenFalse)]
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.kind
    if (operator === ts.SyntaxKind.QuestionQuestionToken || operator === ts.SyntaxKind.BarBarToken) return [...variants(node.left), ...variants(node.right)]
    if (isJoined(node)) return join(variants(node.left), variants(node.right))
  }
  if (!ts.isTemplateExpression(node)) return [`⟨${++filled}⟩`]
  let texts = [node.head.text]
  for (const span of node.templateSpans) texts = join(join(texts, variants(span.expression)), [span.literal.text])
  return texts
}

function join(starts: string[], ends: string[]): string[] {
  return starts.flatMap((start) => ends.map((end) => start + end)).slice(0, mostVariants)
}

function callsWithin(node: ts.Node): ts.Node[] {
  const calls: ts.Node[] = []
  ts.forEachChild(node, function look(child) {
    if (ts.isCallExpression(child)) calls.push(child)
    else ts.forEachChild(child, look)
  })
  return calls
}

/** A placeholder that hangs on a word or on the end of a sentence is an addition that may be empty. */
function tidy(text: string): string {
  filled = 0
  const numbers = new Map<string, number>()
  return text
    .replace(/^⟨\d+⟩(?=\p{Lu})/u, '')
    .replace(/(?<=[\p{L}.!?)⟩])⟨\d+⟩(?!\p{L})/gu, '')
    .replace(/⟨(\d+)⟩/g, (_, id: string) => {
      if (!numbers.has(id)) numbers.set(id, numbers.size + 1)
      return `Q${numbers.get(id)}`
    })
    .trim()
}

function isSentence(text: string): boolean {
  return /\s/.test(text) && hasWords(text)
}

/** Letters besides units and the proper names of values. */
function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text.replace(/Q\d+|\b(dBm|km\/h|km|min|HDOP|PWR)\b/g, ''))
}

/** The texts of the checklists: everything that is not an id or a setting. */
export function readChecklistTexts(pattern: string): CoreText[] {
  return globSync(pattern).sort().flatMap((file) => {
    const texts = new Set<string>()
    function visit(value: unknown, key: string): void {
      if (typeof value === 'string' && (/\s/.test(value) || ['title', 'name', 'instruction', 'description'].includes(key))) texts.add(value)
      else if (value && typeof value === 'object') for (const [inner, one] of Object.entries(value)) visit(one, inner)
    }
    visit(JSON.parse(readFileSync(file, 'utf8')), '')
    return [...texts].map((text) => ({ file, text }))
  })
}
