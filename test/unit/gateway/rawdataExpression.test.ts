import { expect, test } from 'vitest'
import { checkField, checkFilter } from '../../../main/gateway/rawdataExpression.ts'
import { writeEventCsv } from '../../../main/gateway/rawdataTable.ts'

const types = new Map([['speed', 'number'], ['valid_position', 'boolean'], ['label', 'string'], ['vid', 'number'], ['odd', 'object']])
const sets = new Set(['basic'])

test.each(['speed > 0', 'valid_position', 'not valid_position', "(speed >= 5.5 and label == 'ignon') or vid != 3", 'vid__str == "12"', '-speed < 3', 'odd == 1'])('the filter %s is right', (text) => {
  expect(checkFilter(text, types)).toBeNull()
})
test.each([
  ['speed', 'true or false'],
  ['speed >', 'too early'],
  ['speeed > 0', 'no field "speeed"'],
  ['speed == "a"', 'compares a number with a string'],
  ['speed > 0 and label', 'true or false'],
  ['(speed > 0', 'not closed'],
  ['speed > 0 )', 'does not belong'],
  ['speed ; 1', 'cannot be read'],
  ['', 'empty'],
  ['label + speed == 1', 'cannot join']
])('the filter %s is refused', (text, reason) => {
  expect(checkFilter(text, types)).toContain(reason)
})
test.each(['speed', '$basic', 'kmh:@speed*3.6', 'name:@vid__str+@label', 'speed__int', 'twice:(@speed+1)/2'])('the field %s is right', (text) => {
  expect(checkField(text, types, sets)).toBeNull()
})
test.each([
  ['$nothing', 'no set'],
  ['x:@vid+@label', 'cannot join'],
  ['x:speed*2', 'Write @speed'],
  ['1x:@speed', 'no name'],
  ['none', 'no field'],
  ['x:@speed+', 'too early']
])('the field %s is refused', (text, reason) => {
  expect(checkField(text, types, sets)).toContain(reason)
})

test('a cell that a spreadsheet would take for a formula is escaped, and numbers stay numbers', () => {
  const csv = writeEventCsv({ columns: ['a', 'b'], rows: [['=1+1', -3.5], ['@x, "y"', true], ['\tz', null], ['-', 0]] })
  expect(csv).toBe(`a,b\r\n'=1+1,-3.5\r\n"'@x, ""y""",true\r\n'\tz,\r\n'-,0\r\n`)
})
