import { expect, it } from 'vitest'
import { tryTo } from '../../../../main/data/store/file/tryTo.ts'

it.each<[string, () => unknown, unknown]>([
  ['an answer', () => 'C:', 'C:'],
  ['an empty one', () => '', ''],
  [
    'a refusal',
    () => {
      throw new Error('EACCES')
    },
    undefined
  ]
])('%s', (_what, ask, answer) => expect(tryTo(ask)).toBe(answer))
