// @module-tag long
import { expect, test } from 'vitest'
import { proveDamage, sayDamage } from '../../proof/damage.ts'

// The long form is `npm run proof -- damage`.
test(
  'damaged data files open, what can be read is brought over, and nothing is silently wrong',
  { timeout: 720_000 },
  async () => {
    const result = await proveDamage({ files: 20, seed: 7 })
    expect([result.silentlyWrong, result.refused, result.doubled], sayDamage(result)).toEqual([[], [], []])
    expect(result.onePage.leastShare).toBeGreaterThanOrEqual(0.99)
  }
)
