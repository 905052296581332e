import { expect, it } from 'vitest'
import { createDataHandlers } from '../../../../main/data/backups/handlers.ts'
import type { Backups } from '../../../../main/data/backups/backups.ts'
import { createMapHandlers } from '../../../../main/app/maps/handlers.ts'
import type { ReportFont } from '../../../../main/job/reports/reportFont.ts'
import { createReportFontHandlers } from '../../../../main/job/reports/reportFontHandlers.ts'
import type { Maps } from '../../../../main/app/maps/maps.ts'

/** Every function of a service is noted, and does nothing. */
function note<Service>(reached: string[]): Service {
  return new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...given: unknown[]) => (reached.push(`${String(name)} ${JSON.stringify(given[0] ?? null)}`), {})
    }
  ) as Service
}

function open(pick?: () => Promise<string | undefined>) {
  const reached: string[] = []
  const data = createDataHandlers({ backups: note<Backups>(reached), pick, takePlace: async () => undefined })
  const maps = createMapHandlers(note<Maps>(reached), pick)
  const font = createReportFontHandlers(note<ReportFont>(reached), pick)
  const signal = new AbortController().signal
  return {
    reached,
    asked: {
      saveCopy: async () => data['data.saveCopy']({ path: '/etc/cron.d/x' }, signal),
      choosePlace: async () => data['data.choosePlace']({ path: '/etc' }, signal),
      look: async () => data['data.look']({ from: { kind: 'file', path: '/etc/passwd' } }, signal),
      restore: async () => data['data.restore']({ from: { kind: 'file', path: '/etc/passwd' } }, signal),
      map: async () => maps['maps.chooseFile']({ path: '/etc/passwd' }, signal),
      font: async () => font['reportFont.chooseFile']({ path: '/etc/passwd' }, signal)
    },
    data,
    maps,
    signal
  }
}

it.each(['saveCopy', 'choosePlace', 'look', 'restore', 'map', 'font'] as const)(
  'in the desktop window a path from the page is refused: %s',
  async (name) => {
    const { reached, asked } = open(async () => '/home/anna/chosen.db')
    await expect(asked[name]()).rejects.toMatchObject({ code: 'REFUSED' })
    expect(reached).toEqual([])
  }
)

it('in the desktop window the path comes from the dialog of the system, and nothing happens when a person closes it', async () => {
  const chosen = open(async () => '/home/anna/chosen.db')
  await chosen.data['data.saveCopy']({ path: null }, chosen.signal)
  expect(chosen.reached).toEqual(['saveCopy "/home/anna/chosen.db"'])
  const closed = open(async () => undefined)
  await closed.data['data.saveCopy']({ path: null }, closed.signal)
  await closed.maps['maps.pickFile']({}, closed.signal)
  expect(closed.reached).toEqual(['state null'])
})

it('a browser has no dialog: a person types the path', async () => {
  const { reached, asked, data, maps, signal } = open()
  await asked.map()
  expect(reached[0]).toBe('choose "/etc/passwd"')
  await expect(async () => data['data.pick']({}, signal)).rejects.toMatchObject({ code: 'REFUSED' })
  await expect(async () => maps['maps.pickFile']({}, signal)).rejects.toMatchObject({ code: 'REFUSED' })
})
