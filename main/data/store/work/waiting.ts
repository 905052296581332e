import type { Paused } from '../../../../preload/contract/gateway/stories.ts'
import type { DataFile } from '../file/database.ts'
import { createStoredValues } from '../storedValues.ts'

const name = '$pausedWork'

/** What is known about waiting work besides its own rows. */
export function createWaitingStore(data: DataFile) {
  const jobs = data.prepare<[], { id: string; vehicleId: number | null }>(
    `select id, vehicle_id as vehicleId from job where state = 'installedAwaitingGateway'
       or (state = 'running' and more is not null and json_valid(more) and json_extract(more, '$.counts.deferred') > 0) order by key`
  )
  const vehicle = data.prepare<[string], { vehicleId: number | null }>(
    'select vehicle_id as vehicleId from job where id = ?'
  )
  const values = createStoredValues(data, 'setting')

  // Read for each operation of each pass; only this process writes it.
  let present: { paused: Paused } | undefined

  return {
    /** Jobs with open gateway work: signed off and waiting, or running with waiting steps. Oldest first. */
    jobs: (): { id: string; vehicleId: number | null }[] => jobs.all(),
    vehicleOfJob: (id: string): number | null => vehicle.get(id)?.vehicleId ?? null,
    paused(): Paused {
      present ??= { paused: values.read<Paused>(name) }
      return present.paused
    },
    setPaused(paused: Paused): void {
      values.put(name, paused)
      present = { paused }
    }
  }
}
