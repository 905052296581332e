import { expect, it } from 'vitest'
import { proveAnyBytes } from '../../../world/data/anyBytes.ts'

it('any file whatever gets one of the five answers', { timeout: 360_000 }, async () => {
  const { unanswered, verdicts } = await proveAnyBytes(1_000, 3)
  expect(unanswered).toEqual([])
  expect(Object.values(verdicts).reduce((sum, n) => sum + n, 0)).toBe(1_000)
})
