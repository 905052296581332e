import { expect, test } from 'vitest'
import { message } from '../../../../preload/contract/messages.ts'
import { checkField, checkFilter } from '../../../../main/gateway/client/events/rawdataExpression.ts'

const types = new Map([
  ['speed', 'number'],
  ['valid_position', 'boolean'],
  ['label', 'string'],
  ['vid', 'number'],
  ['odd', 'object']
])
const sets = new Set(['basic'])

test.each([
  'speed > 0',
  'valid_position',
  'not valid_position',
  "(speed >= 5.5 and label == 'ignon') or vid != 3",
  'vid__str == "12"',
  '-speed < 3',
  'odd == 1'
])('the filter %s is right', (text) => {
  expect(checkFilter(text, types)).toBeNull()
})
test.each([
  ['speed', message('rawdata.filterNotTruth')],
  ['speed >', message('rawdata.endsTooEarly')],
  ['speeed > 0', message('rawdata.noField', { name: 'speeed' })],
  ['speed == "a"', message('rawdata.compares', { sign: '==', left: 'number', right: 'string' })],
  ['speed > 0 and label', message('rawdata.joinsTruths', { sign: 'and' })],
  ['(speed > 0', message('rawdata.notClosed')],
  ['speed > 0 )', message('rawdata.outOfPlace', { text: ')' })],
  ['speed ; 1', message('rawdata.notReadable', { text: '; 1' })],
  ['', message('rawdata.empty')],
  ['label + speed == 1', message('rawdata.cannotJoin', { sign: '+', left: 'string', right: 'number' })]
])('the filter %s is refused', (text, reason) => {
  expect(checkFilter(text, types)).toEqual(reason)
})
test.each(['speed', '$basic', 'kmh:@speed*3.6', 'name:@vid__str+@label', 'speed__int', 'twice:(@speed+1)/2'])(
  'the field %s is right',
  (text) => {
    expect(checkField(text, types, sets)).toBeNull()
  }
)
test.each([
  ['$nothing', message('rawdata.noSet', { name: '$nothing' })],
  ['x:@vid+@label', message('rawdata.cannotJoin', { sign: '+', left: 'number', right: 'string' })],
  ['x:speed*2', message('rawdata.markField', { name: 'speed' })],
  ['1x:@speed', message('rawdata.noName', { name: '1x' })],
  ['none', message('rawdata.noField', { name: 'none' })],
  ['x:@speed+', message('rawdata.endsTooEarly')]
])('the field %s is refused', (text, reason) => {
  expect(checkField(text, types, sets)).toEqual(reason)
})
