import { z } from 'zod'
import { numberOrNull, record, textOrNull } from './fields.ts'

/** Times of the device (`event_time`) and of the gateway (`system_time`) in ISO 8601; `comdelay` in seconds. */
export const rawdataEvent = z.looseObject({
  id: z.number().optional(),
  vid: z.number().optional(),
  aid: numberOrNull.optional(),
  device_id: z.number().optional(),
  event_time: z.string().optional(),
  system_time: z.string().optional(),
  type: z.number().optional(),
  code: z.number().optional(),
  label: textOrNull.optional(),
  lat: numberOrNull.optional(),
  lon: numberOrNull.optional(),
  valid_position: z.boolean().nullable().optional(),
  speed: numberOrNull.optional(),
  mph: numberOrNull.optional(),
  head: numberOrNull.optional(),
  hdop: numberOrNull.optional(),
  vdop: numberOrNull.optional(),
  sv: numberOrNull.optional(),
  cf_rssi: numberOrNull.optional(),
  ecu_battery: numberOrNull.optional(),
  ecu_distance: numberOrNull.optional(),
  ecu_idle_fuel: numberOrNull.optional(),
  pid: z.number().optional(),
  metric: numberOrNull.optional(),
  metric_value: numberOrNull.optional(),
  comdelay: numberOrNull.optional(),
  event_hour: numberOrNull.optional(),
  system_hour: numberOrNull.optional(),
  system_minute: numberOrNull.optional(),
  event_wkday: numberOrNull.optional(),
  event_epoch: numberOrNull.optional(),
  system_epoch: numberOrNull.optional(),
  dphoto_ptr: numberOrNull.optional()
})
export type RawdataEvent = z.infer<typeof rawdataEvent>

export const units = z.looseObject({
  volume: z.string().optional(),
  distance: z.string().optional(),
  speed: z.string().optional(),
  time: z.string().optional()
})

/** `GET /rawdata`: events, or with `async` the id of the background job. */
export const rawdataAnswer = z.looseObject({
  units: units.optional(),
  events: z.array(rawdataEvent).optional(),
  message: z.string().optional(),
  job_id: z.union([z.string(), z.number()]).optional()
})
export type RawdataAnswer = z.infer<typeof rawdataAnswer>

/** `GET /rawdata` without parameters: field name to its description. */
export const rawdataKeys = z.looseObject({
  keys: z.record(
    z.string(),
    z.looseObject({
      short_desc: textOrNull.optional(),
      long_desc: textOrNull.optional(),
      type: textOrNull.optional(),
      group: textOrNull.optional()
    })
  )
})

export const asyncJob = z.looseObject({
  id: z.union([z.number(), z.string()]),
  user_id: z.number().optional(),
  app: textOrNull.optional(),
  control: textOrNull.optional(),
  stdout: z.unknown().optional(),
  notice: z.unknown().optional(),
  state: z.string().optional(),
  params: record.optional()
})

export const countersDescription = z.looseObject({ base: z.unknown().optional(), derived: z.unknown().optional() })

export const countersAnswer = z.looseObject({
  units: units.optional(),
  counters: z
    .array(
      z.looseObject({
        vid: z.number().optional(),
        from: textOrNull.optional(),
        to: textOrNull.optional(),
        event_time: textOrNull.optional()
      })
    )
    .optional(),
  message: z.string().optional(),
  job_id: z.union([z.string(), z.number()]).optional()
})
export type CountersAnswer = z.infer<typeof countersAnswer>

/** `GET /vehicles/:vid/counters`: meters, seconds, liters. A counter that its device never counted is null. */
export const vehicleCounters = z.looseObject({
  user: z
    .array(
      z.looseObject({
        id: numberOrNull.optional(),
        description: textOrNull.optional(),
        set_at: numberOrNull.optional(),
        counter: textOrNull.optional(),
        value: numberOrNull.optional(),
        offset: numberOrNull.optional()
      })
    )
    .nullable()
    .optional(),
  vehicle: z
    .looseObject({
      plain: z.record(z.string(), numberOrNull).nullable().optional(),
      calculated: record.nullable().optional(),
      counters: record.nullable().optional()
    })
    .nullable()
    .optional()
})

export const trip = z.looseObject({
  distance: numberOrNull.optional(),
  mean_speed: numberOrNull.optional(),
  duration: numberOrNull.optional(),
  moving: z.boolean().nullable().optional(),
  ignition: z.unknown().optional(),
  idle: z.unknown().optional(),
  start_time: textOrNull.optional()
})
