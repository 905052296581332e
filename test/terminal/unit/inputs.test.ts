import { expect, it } from 'vitest'
import { readInput } from '../../../main/terminal/input/inputs.ts'

const noInput = () => {
  throw new Error('read')
}

it('reads parameters and a body from the command line', () => {
  expect(readInput({ param: ['a=1', 'b=x=y', 'c='], body: '{"d": 2}' }, noInput)).toEqual({
    params: { a: '1', b: 'x=y', c: '' },
    body: { d: 2 }
  })
  expect(readInput({}, noInput)).toEqual({ params: {}, body: undefined })
})

it('takes a secret from standard input, in the place of a value or of the body', () => {
  expect(readInput({ param: ['ssid=Yard', 'password=-'] }, () => 'p=-ä')).toEqual({
    params: { ssid: 'Yard', password: 'p=-ä' },
    body: undefined
  })
  expect(readInput({ body: '-' }, () => '{"pass": "x"}')).toEqual({ params: {}, body: { pass: 'x' } })
})

it('reads standard input once, and refuses what it cannot read', () => {
  expect(() => readInput({ param: ['a=-'], body: '-' }, () => '')).toThrow('terminal.inputTwice')
  expect(() => readInput({ param: ['a'] }, noInput)).toThrow('terminal.paramForm')
  expect(() => readInput({ param: ['a=1', 'a=2'] }, noInput)).toThrow('terminal.paramTwice')
  expect(() => readInput({ body: '{' }, noInput)).toThrow('terminal.bodyForm')
})
