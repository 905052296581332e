import type { DataFile } from './database.ts'

export interface KnownDevice {
  imei: string
  model: string
  label: string
  lastVehicle: string | null
  lastAddress: string | null
  lastJobAt: string | null
  lastSeenAt: string
}

export interface KnownDevices {
  find(imei: string): KnownDevice | undefined
  all(): KnownDevice[]
  /** Remembers a device, or what is new about it; fields that are left out stay as they are. */
  remember(device: { imei: string; model: string; lastSeenAt: string } & Partial<KnownDevice>): void
  /** Takes it out of the memory; its jobs stay. */
  forget(imei: string): void
}

interface Row {
  imei: string
  model: string
  label: string
  last_vehicle: string | null
  last_address: string | null
  last_job_at: string | null
  last_seen_at: string
}

export function createKnownDevices(data: DataFile): KnownDevices {
  const one = data.prepare<[string], Row>('select * from known_device where imei = ?')
  const many = data.prepare<[], Row>('select * from known_device order by last_seen_at desc')
  const put = data.prepare(
    `insert into known_device (imei, model, label, last_vehicle, last_address, last_job_at, last_seen_at)
     values (@imei, @model, @label, @lastVehicle, @lastAddress, @lastJobAt, @lastSeenAt)
     on conflict (imei) do update set model = excluded.model, label = excluded.label, last_vehicle = excluded.last_vehicle,
       last_address = excluded.last_address, last_job_at = excluded.last_job_at, last_seen_at = excluded.last_seen_at`
  )
  const drop = data.prepare<[string]>('delete from known_device where imei = ?')

  function find(imei: string): KnownDevice | undefined {
    const row = one.get(imei)
    return row && fromRow(row)
  }

  return {
    find,
    all: () => many.all().map(fromRow),
    remember(device) {
      const before = find(device.imei)
      data.write(() => put.run({ label: '', lastVehicle: null, lastAddress: null, lastJobAt: null, ...before, ...device }))
    },
    forget: (imei) => data.write(() => void drop.run(imei))
  }
}

function fromRow(row: Row): KnownDevice {
  return {
    imei: row.imei,
    model: row.model,
    label: row.label,
    lastVehicle: row.last_vehicle,
    lastAddress: row.last_address,
    lastJobAt: row.last_job_at,
    lastSeenAt: row.last_seen_at
  }
}
