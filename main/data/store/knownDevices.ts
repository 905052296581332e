import type { KnownDevice } from '../../../preload/contract/device/discovery.ts'
import type { DataFile } from './file/database.ts'
import { bareNumber, hasNumber, isShortNumber, readWanted } from './jobs/jobWords.ts'

export type KnownDevices = ReturnType<typeof createKnownDevices>

const columns =
  'imei, model, label, last_vehicle as lastVehicle, last_address as lastAddress, last_job_at as lastJobAt, last_seen_at as lastSeenAt'

/** The devices that this computer has worked with. */
export function createKnownDevices(data: DataFile) {
  const one = data.prepare<[string], KnownDevice>(`select ${columns} from known_device where imei = ?`)
  const many = data.prepare<
    [{ after: string; left: string; limit: number }],
    KnownDevice
  >(`select ${columns} from known_device
     where imei not in (select value from json_each(@left)) and (@after = '' or last_seen_at || ' ' || imei < @after)
     order by last_seen_at desc, imei desc limit @limit`)
  const count = data.prepare<[string], { n: number }>(
    'select count(*) as n from known_device where imei not in (select value from json_each(?))'
  )
  const matches = `from known_device where not exists (select 1 from json_each(@words) where not
    case when value glob '#*' then ${hasNumber("coalesce(last_vehicle, '')", 'substr(value, 2)')} or ${hasNumber('label', 'substr(value, 2)')}
    else instr(lower(imei || ' ' || model || ' ' || label || ' ' || coalesce(last_vehicle, '')), value) > 0 end)`
  const matching = data.prepare<[{ words: string; limit: number }], KnownDevice>(
    `select ${columns} ${matches} order by last_seen_at desc, imei desc limit @limit`
  )
  const countMatching = data.prepare<[{ words: string }], { n: number }>(`select count(*) as n ${matches}`)
  const put = data.prepare(
    `insert into known_device (imei, model, label, last_vehicle, last_address, last_job_at, last_seen_at)
     values (@imei, @model, @label, @lastVehicle, @lastAddress, @lastJobAt, @lastSeenAt)
     on conflict (imei) do update set model = excluded.model, label = excluded.label, last_vehicle = excluded.last_vehicle,
       last_address = excluded.last_address, last_job_at = excluded.last_job_at, last_seen_at = excluded.last_seen_at`
  )
  const drop = data.prepare<[string]>('delete from known_device where imei = ?')

  return {
    find: (imei: string): KnownDevice | undefined => one.get(imei),
    /** Last seen first, without those named; `after` is the `next` of the page before, `total` counts all pages. */
    page({ after = '', limit, without }: { after?: string | undefined; limit: number; without: string[] }): {
      devices: KnownDevice[]
      next: string | null
      total: number
    } {
      const left = JSON.stringify(without)
      const rows = many.all({ after, left, limit: limit + 1 })
      const devices = rows.slice(0, limit)
      const last = devices.at(-1)
      return { devices, next: rows.length > limit && last ? placeOf(last) : null, total: count.get(left)?.n ?? 0 }
    },
    /** Those with each of these words, last seen first; `n` counts all matches, `total` every device. */
    search(text: string, limit: number): { found: KnownDevice[]; n: number; total: number } {
      const wanted = readWanted(text).words
      const words = JSON.stringify(wanted.map((word) => (isShortNumber(word) ? `#${bareNumber(word)}` : word)))
      const isAny = wanted.length > 0
      return {
        found: isAny ? matching.all({ words, limit }) : [],
        n: isAny ? (countMatching.get({ words })?.n ?? 0) : 0,
        total: count.get('[]')?.n ?? 0
      }
    },
    /** Stores a device or its changes; omitted fields stay unchanged. */
    remember(device: { imei: string; model: string; lastSeenAt: string } & Partial<KnownDevice>): void {
      const before = one.get(device.imei)
      data.write(() =>
        put.run({ label: '', lastVehicle: null, lastAddress: null, lastJobAt: null, ...before, ...device })
      )
    },
    /** Removes it from the known devices; its jobs stay. */
    forget: (imei: string) => data.write(() => void drop.run(imei))
  }
}

/** The position at the end of a page. */
function placeOf({ lastSeenAt, imei }: KnownDevice): string {
  return `${lastSeenAt} ${imei}`
}
