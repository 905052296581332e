import { expect, it } from 'vitest'
import { alignEntries, type ForkEntry } from '../../../renderer/job/forks/alignEntries.ts'

const entries = (text: string): ForkEntry[] =>
  text
    .split(' ')
    .filter((one) => one !== '')
    .map((one, index) => {
      const [type = '', stepId = null] = one.split(':')
      return { seq: index + 7, at: '2026-03-01T10:00:00.000Z', type, stepId, what: null }
    })
const shown = (log: string, other: string) =>
  alignEntries(entries(log), entries(other)).map((pair) =>
    [pair.log, pair.other].map((one) => (one ? [one.type, one.stepId].filter(Boolean).join(':') : '-')).join(' | ')
  )

it('two versions stand side by side where they part, then by kind and step, with nothing lost and nothing moved', () => {
  expect(shown('takenOver ended:inputs ended:output vehicle sealed', 'continued ended:inputs vehicle photos')).toEqual([
    'takenOver | continued',
    'ended:inputs | ended:inputs',
    'ended:output | -',
    'vehicle | vehicle',
    'sealed | -',
    '- | photos'
  ])
  expect(shown('a b', 'a')).toEqual(['a | a', 'b | -'])
  expect(shown('', 'a b')).toEqual(['- | a', '- | b'])
  expect(shown('x b c d', 'y c d b')).toEqual(['x | y', 'b | -', 'c | c', 'd | d', '- | b'])
  expect(alignEntries([], [])).toEqual([])
})
