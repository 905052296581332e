import {
  asyncJob,
  countersAnswer,
  countersDescription,
  rawdataAnswer,
  rawdataKeys,
  trip,
  vehicleCounters,
  type CountersAnswer,
  type RawdataAnswer
} from '../records/data.ts'
import { pageOf } from '../records/page.ts'
import { anyForm, pageForm, recordForm, type AnswerForm, type Caller, type CallOptions } from '../transport/caller.ts'
import type { Csv, Time } from '../request/fieldKinds.ts'

type Nothing = Record<string, never>
type Export = 'json' | 'html' | 'csv' | 'tsv'

type RangeInput = { from?: Time; to?: Time; duration?: string; vehicles?: Csv; groups?: Csv; tz?: string }
/** `speed` of rawdata accepts any value; the others accept a list. */
type UnitInput = {
  distance?: 'meter' | 'km' | 'mile' | 'user'
  volume?: 'liter' | 'gallon' | 'user'
  time?: 'second' | 'minute' | 'hour'
  speed?: string
}
export type RawdataInput = RangeInput &
  UnitInput & {
    fields?: Csv
    exclude?: Csv
    types?: Csv
    labels?: Csv
    codes?: Csv
    raw?: boolean
    filter?: string
    resample?: 'event_time' | 'system_time'
    freq?: string
    how?: Csv
    fill?: 'pad' | 'ffill' | 'bfill'
    group_by?: Csv
    order?: Csv
    head?: number
    tail?: number
    export?: Export
    async?: boolean
  }
export type CountersInput = RangeInput &
  Omit<UnitInput, 'speed'> & {
    speed?: 'kph' | 'mph' | 'user'
    filter?: string
    delta?: string
    order?: Csv
    head?: number
    tail?: number
    export?: Export
    /** Decimals, 1 to 10. */
    round?: number
    async?: boolean
  }
export type TripsInput = Omit<RangeInput, 'groups'> &
  Omit<UnitInput, 'speed'> & {
    speed?: 'kph' | 'mph' | 'user'
    ids?: Csv
    fields?: Csv
    contained?: boolean
    export?: 'csv' | 'tsv'
  }

/** Units are always stated: the gateway caches by request, and its defaults may depend on the user. */
const statedUnits = { distance: 'meter', volume: 'liter', time: 'second' } as const

function formOf<T>(format: Export | undefined, form: AnswerForm<T>): AnswerForm<T> {
  return format === undefined || format === 'json' ? form : { kind: 'file', isHtmlExpected: format === 'html' }
}

/** `GET /rawdata`. Speed in meter/second unless `speed` says otherwise; with `async`, `value.job_id`. */
export function rawdataArea({ call }: Caller) {
  return {
    keys: (input: Nothing = {}, options?: CallOptions) => call('rawdata.keys', input, options, recordForm(rawdataKeys)),
    query: (input: RawdataInput, options?: CallOptions) =>
      call<RawdataAnswer>('rawdata.query', withUnits(input), options, formOf(input.export, recordForm(rawdataAnswer)))
  }
}

/** Background jobs. `data` returns the file: JSON parsed, otherwise {mediaType, text or base64}. */
export function jobsArea({ call }: Caller) {
  return {
    get: (input: { job_id: string | number }, options?: CallOptions) =>
      call('jobs.get', input, options, recordForm(asyncJob)),
    data: (input: { job_id: string | number; format: Export }, options?: CallOptions) =>
      call<unknown>('jobs.data', input, options, { kind: 'file', isHtmlExpected: input.format === 'html' })
  }
}

/** Counters: meters, seconds, liters. */
export function countersArea({ call }: Caller) {
  return {
    describe: (input: Nothing = {}, options?: CallOptions) =>
      call('counters.describe', input, options, recordForm(countersDescription)),
    query: (input: CountersInput, options?: CallOptions) =>
      call<CountersAnswer>(
        'counters.query',
        withUnits(input),
        options,
        formOf(input.export, recordForm(countersAnswer))
      ),
    ofVehicle: (input: { vid: number; tz?: string }, options?: CallOptions) =>
      call('counters.ofVehicle', input, options, recordForm(vehicleCounters)),
    /** Takes effect after the device's next report. */
    setGlobal: (input: { vid: number; counter: string; value: number }, options?: CallOptions) =>
      call('counters.setGlobal', input, options, anyForm),
    create: (
      input: { vid: number; counter: string; initial_value: string | number; description: string },
      options?: CallOptions
    ) => call('counters.create', input, options, anyForm),
    update: (
      input: { vid: number; id: number; counter: string; description: string; initial_value: string | number },
      options?: CallOptions
    ) => call('counters.update', input, options, anyForm)
  }
}

const tripList = pageOf(trip)
/** Trips and stops; `value.data` holds the list. */
export function tripsArea({ call }: Caller) {
  return {
    list: (input: TripsInput, options?: CallOptions) =>
      call('trips.list', withUnits(input), options, formOf(input.export, pageForm(tripList))),
    keys: (input: { data?: Csv } = {}, options?: CallOptions) => call('trips.keys', input, options, anyForm)
  }
}

/** With every unit stated, as it is sent. */
export function withUnits(input: object): object {
  return Object.values(input).every((value) => value === undefined) ? input : { ...statedUnits, ...input }
}
