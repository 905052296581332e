import { expect, it, vi } from 'vitest'
import type { CommandContext } from '../../../main/terminal/context.ts'
import { listTeamJobs } from '../../../main/terminal/commands/teamJobs.ts'
import { createTerminal } from '../../../main/terminal/output/terminal.ts'
import type { TeamCopy } from '../../../main/team/reading/localCopy.ts'

it.each([
  ['2026-05-04', '2026-05-04', '2026-05-04T07:00:00.000Z', '2026-05-05T07:00:00.000Z'],
  ['2026-05-04T13:30', '2026-05-04T13:30Z', '2026-05-04T20:30:00.000Z', '2026-05-04T13:30:00.000Z']
])('team jobs since %s until %s are cut in the zone that the times are shown in', async (since, until, from, to) => {
  const terminal = createTerminal({
    isJson: true,
    isQuiet: true,
    reader: { timeZone: 'America/Los_Angeles' },
    redact: (text) => text
  })
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const asked: unknown[] = []
  const kept = {
    jobs: async (question: object) => {
      asked.push(question)
      return Promise.resolve({ jobs: [], next: null, isSimilar: false, keptAt: null, why: null })
    }
  } as unknown as TeamCopy
  const context = { terminal, signal: new AbortController().signal } as CommandContext
  try {
    await listTeamJobs(context, { since, until }, kept)
  } finally {
    vi.restoreAllMocks()
  }
  expect(asked).toMatchObject([{ since: from, until: to }])
})
