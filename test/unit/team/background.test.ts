import { expect, it, onTestFinished, vi } from 'vitest'
import type { TeamStatus } from '../../../preload/contract/team/team.ts'
import { createTeamBackground } from '../../../main/team/background.ts'

it('an idle laptop looks now and then whether the server still has what it acknowledged', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const status: TeamStatus = { joined: { team: 'North', name: 'Laptop 1', mayWrite: true, at: '2026-03-01T10:00:00.000Z' }, server: null, pushedAt: null, waiting: 0, leaving: 0, forks: 0, stopped: [], held: [] }
  let pushes = 0
  const background = createTeamBackground({
    team: {
      status: () => status,
      isMember: () => true,
      push() {
        pushes += 1
        return Promise.resolve({ jobs: 0, entries: 0, pictures: 0, stopped: 0 })
      }
    },
    changed: () => undefined,
    reportFault: (fault) => { throw fault },
    pullEveryMs: 300_000
  })
  background.renew()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(pushes).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000_000)
  // Each fetch comes after 240 to 360 s.
  expect(pushes).toBeGreaterThanOrEqual(5)
  await background.stop()
})
