import type { Paused } from '../../../preload/contract/gateway/stories.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'

const name = '$pausedWork'

/** What is known about waiting work besides its own rows. */
export function createWaitingStore(data: DataFile) {
  const jobs = data.prepare<[], { id: string; vehicle_id: number | null }>(
    `select id, vehicle_id from job where state = 'installedAwaitingGateway'
       or (state = 'running' and more is not null and json_valid(more) and json_extract(more, '$.counts.deferred') > 0) order by key`
  )
  const vehicle = data.prepare<[string], { vehicle_id: number | null }>('select vehicle_id from job where id = ?')
  const get = data.prepare<[string], { value: string }>('select value from setting where name = ?')
  const put = data.prepare('insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value')

  // Read for each operation of each pass; only this process writes it.
  let present: { paused: Paused } | undefined

  return {
    /** Jobs with open gateway work: signed off and waiting, or running with waiting steps. Oldest first. */
    jobs: (): { id: string; vehicleId: number | null }[] => jobs.all().map(({ id, vehicle_id }) => ({ id, vehicleId: vehicle_id })),
    vehicleOfJob: (id: string): number | null => vehicle.get(id)?.vehicle_id ?? null,
    paused(): Paused {
      const row = present ? undefined : get.get(name)
      present ??= { paused: row ? readJson<Paused>(row.value) : null }
      return present.paused
    },
    setPaused(paused: Paused): void {
      data.write(() => put.run(name, JSON.stringify(paused)))
      present = { paused }
    }
  }
}
