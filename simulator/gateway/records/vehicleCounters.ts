import { z } from 'zod'
import { findRecord, findVehicle } from '../access.ts'
import { misuseCall, notShown, okAnswer, recordEffect, withBody, type Call, type Endpoint } from '../call.ts'
import { readCounters } from '../past/ingest.ts'
import type { JsonRecord, Vehicle } from '../state.ts'
import { deriveCounters } from './counters.ts'

const settable = [
  ...[
    'dev_dist',
    'ecu_dist',
    'dev_ign',
    'dev_idle',
    'dev_ospeed',
    'ecu_eusage',
    'ecu_eidle',
    'ecu_ifuel',
    'ecu_tfuel',
    'counter_tamper'
  ],
  ...['in1', 'in2', 'in3', 'out1', 'out2'].map((line) => `counter_io_${line}`),
  ...[1, 2, 3, 4].flatMap((n) => [`counter_io_exp_in${n}`, `counter_io_exp_out${n}`, `counter_io_exp_out${n}_short`])
]

const globalBody = z.strictObject({ counter: z.string(), value: z.number().nonnegative() })
const userBody = z.strictObject({
  counter: z.string(),
  initial_value: z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)]),
  description: z.string()
})

/** The counters of one vehicle: the global ones and those that users made. */
export const vehicleCounterEndpoints: Endpoint[] = [
  {
    id: 'counters.ofVehicle',
    scopes: ['vehicles.counters'],
    handle: (call) => {
      const vehicle = findVehicle(call)
      const plain = readPlain(call, vehicle)
      const user = call.state.userCounters
        .filter((counter) => counter.vid === vehicle.id)
        .map((counter) => {
          const { id, description, set_at, offset } = counter
          return {
            description,
            set_at,
            counter: counter.counter,
            value: Number(plain[counter.counter] ?? 0) + offset,
            offset,
            id
          }
        })
      return okAnswer({ user, vehicle: { plain, calculated: deriveCounters(plain), counters: {} } })
    }
  },
  withBody({
    id: 'counters.setGlobal',
    scopes: ['vehicles.counters'],
    body: globalBody,
    handle: (call, { counter, value }) => {
      const vehicle = findVehicle(call)
      checkName(call, counter)
      const key = `${vehicle.id} ${counter}`
      const shown = Number(readPlain(call, vehicle)[counter] ?? 0)
      const base = offsetOf(call, vehicle, counter)
      const afterReports = call.state.devices.find((device) => device.imei === vehicle.device)?.reportCount ?? 0
      call.state.counterOffsets.set(key, { value: base + value - shown, base, afterReports })
      recordEffect(call, { vid: vehicle.id, counter, value })
      return notShown(call, { counter, value })
    }
  }),
  withBody({
    id: 'counters.create',
    scopes: ['vehicles.counters'],
    body: userBody,
    handle: (call, { counter, initial_value, description }) => {
      const vehicle = findVehicle(call)
      checkName(call, counter)
      const isDouble = call.state.userCounters.some(
        (known) => known.vid === vehicle.id && known.counter === counter && known.description === description
      )
      if (isDouble) call.note(`doubled effect: user counter ${description} made twice`)
      const value = Number(initial_value)
      const offset = value - Number(readPlain(call, vehicle)[counter] ?? 0)
      const made = {
        id: call.state.nextId('user counter'),
        vid: vehicle.id,
        counter,
        description,
        set_at: Math.floor(call.nowMs / 1000),
        value,
        offset
      }
      call.state.userCounters.push(made)
      recordEffect(call, { id: made.id, counter, description })
      return notShown(call, { id: made.id, counter, description, value, offset, set_at: made.set_at })
    }
  }),
  withBody({
    id: 'counters.update',
    scopes: ['vehicles.counters'],
    body: userBody,
    handle: (call, { counter, initial_value, description }) => {
      const vehicle = findVehicle(call)
      const known = findRecord(
        call,
        call.state.userCounters.filter((counter) => counter.vid === vehicle.id),
        'user counter'
      )
      checkName(call, counter)
      const value = Number(initial_value)
      Object.assign(known, {
        counter,
        description,
        value,
        set_at: Math.floor(call.nowMs / 1000),
        offset: value - Number(readPlain(call, vehicle)[counter] ?? 0)
      })
      recordEffect(call, { id: known.id, counter, description })
      return notShown(call, { id: known.id, counter, description, value })
    }
  })
]

function checkName(call: Call, counter: string): void {
  if (!settable.includes(counter)) throw misuseCall(call, `${counter} is no counter that can be set`)
}

/** A set global counter becomes visible with the device's next report. */
function offsetOf(call: Call, vehicle: Vehicle, counter: string): number {
  const set = call.state.counterOffsets.get(`${vehicle.id} ${counter}`)
  if (!set) return 0
  const device = call.state.devices.find((candidate) => candidate.imei === vehicle.device)
  return (device?.reportCount ?? 0) > set.afterReports ? set.value : set.base
}

function readPlain(call: Call, vehicle: Vehicle): Record<string, number | null> {
  const device = call.state.devices.find((candidate) => candidate.imei === vehicle.device)
  const report = device?.report ?? { distanceM: 0, ignitionS: 0, idleS: 0, ecu: { detected: false, parameters: [] } }
  const raw: JsonRecord = { ...readCounters(call.state, report, vehicle.id), counter_tamper: 0 }
  for (const line of ['in1', 'in2', 'in3', 'out1', 'out2']) raw[`counter_io_${line}`] = 0
  const shown: Record<string, number | null> = {}
  for (const name of new Set([...Object.keys(raw), ...settable])) {
    const value = raw[name] as number | null | undefined
    const offset = offsetOf(call, vehicle, name)
    if (value !== undefined || offset !== 0) shown[name] = value === null && offset === 0 ? null : (value ?? 0) + offset
  }
  return shown
}
