import { expect, it } from 'vitest'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { showJson, showLine, showLines, withShownValues } from '../../../main/terminal/output/outsideText.ts'

const attacks = [
  '\x1b[2J',
  '\x1b]0;title\x07',
  '\r',
  '\n',
  '\b',
  '\x9b31m',
  '\x85',
  '\x7f',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2028',
  '\ufeff',
  '\u{e0041}'
]

it.each(attacks.map((text) => [JSON.stringify(text), text]))(
  '%s from outside becomes visible and changes nothing',
  (_name, attack) => {
    const shown = showLine(`Unit${attack}7`)
    expect(shown).toMatch(/^Unit\\u\{[0-9a-f]+\}.*7$/)
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  }
)

it('keeps lines of our own, and letters of every language', () => {
  expect(showLines('first\n  second')).toBe('first\n  second')
  expect(showLine('Año 2026 – 東京 – ünïcödé ✔')).toBe('Año 2026 – 東京 – ünïcödé ✔')
})

it('keeps values of a message within their sentence, however deep they lie', () => {
  const inner = plainMessage('x\nPASS     Identity')
  expect(withShownValues(message('common.notSaved', { why: inner }))).toEqual({
    id: 'common.notSaved',
    values: { why: plainMessage('x\\u{a}PASS     Identity') }
  })
  expect(withShownValues({ id: 'a.b', values: { list: ['a\x1b', inner], n: 3 } }).values).toEqual({
    list: ['a\\u{1b}', plainMessage('x\\u{a}PASS     Identity')],
    n: 3
  })
})

it.each(attacks.map((text) => [JSON.stringify(text), text]))(
  '%s in a JSON document is escaped, and read as the same text',
  (_name, attack) => {
    const json = showJson(JSON.stringify({ name: `Unit${attack}7` }))
    expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(JSON.parse(json)).toEqual({ name: `Unit${attack}7` })
  }
)
