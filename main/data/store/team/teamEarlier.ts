import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'

export type TeamEarlierStore = ReturnType<typeof createTeamEarlierStore>

const mostKept = 500

/** Earlier jobs from the team log, for the devices and vehicles that were viewed last. */
export function createTeamEarlierStore(data: DataFile) {
  const one = data.prepare<[string], { content: string; keptAt: string }>(
    'select content, kept_at as keptAt from team_earlier where of = ?'
  )
  const put = data.prepare(
    'insert into team_earlier (of, content, kept_at) values (?, ?, ?) on conflict (of) do update set content = excluded.content, kept_at = excluded.kept_at'
  )
  const dropOldest = data.prepare(
    `delete from team_earlier where of in (select of from team_earlier order by kept_at desc limit -1 offset ${String(mostKept)})`
  )
  const dropAll = data.prepare('delete from team_earlier')
  return {
    /** The last stored answer for this device or vehicle. */
    find(of: string): { content: unknown; keptAt: string } | undefined {
      const row = one.get(of)
      return row && { content: readJson<unknown>(row.content), keptAt: row.keptAt }
    },
    keep(of: string, content: unknown, at: string): void {
      data.write(() => {
        put.run(of, JSON.stringify(content), at)
        dropOldest.run()
      })
    },
    forget: (): void => void data.write(() => dropAll.run())
  }
}
