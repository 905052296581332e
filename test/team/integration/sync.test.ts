import { describe, expect, test } from 'vitest'
import { runSync, type SyncRun } from '../../world/data/syncRun.ts'

/** `npm run bench -- sync` does the same with 500, and says what it took. */
const count = Number(process.env['FITTER_SYNC'] ?? 50)
const longMs = 900_000

function say(what: string, run: SyncRun): void {
  if (process.env['FITTER_SYNC'] !== undefined) console.log(JSON.stringify({ what, count, ...run }))
}

/** The process ends in the middle of what it sends, five times. */
const crashesAtMs = [0.02, 0.1, 0.3, 0.6, 0.9].map((share) => share * count * 600)

describe('Gateway work of all kinds', () => {
  test(
    'goes out with hardly more requests than there are pieces, and none of them into a closed window',
    { timeout: longMs },
    async () => {
      const run = await runSync({ operations: count })
      say('clean', run)
      expect(run).toMatchObject({ states: { done: count }, lost: [], doubled: [], violations: [] })
      expect(run.requestsPerOperation).toBeLessThan(1.25)
    }
  )

  test(
    'is neither lost nor doubled when the process ends again and again, and asks little more',
    { timeout: longMs },
    async () => {
      const run = await runSync({ operations: count, crashesAtMs })
      say('crashes', run)
      expect(run).toMatchObject({ states: { done: count }, lost: [], doubled: [] })
      expect(run.requestsPerOperation).toBeLessThan(1.8)
    }
  )

  test('is not held up by pieces that the gateway never answers well', { timeout: longMs }, async () => {
    const poisoned = Math.round(count / 25)
    const run = await runSync({ operations: count, poisoned })
    say('poisoned', run)
    expect(run).toMatchObject({ lost: [], doubled: [], violations: [] })
    expect(run.states['done']).toBe(count - poisoned)
  })
})
