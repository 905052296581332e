import { z } from 'zod'
import { deviceOf, findVehicle, isOnline, readNumber } from '../access.ts'
import { misuseCall, notShown, okAnswer, recordEffect, Refusal, withBody, type Call, type Endpoint } from '../call.ts'
import type { NavUnit } from '../state.ts'
import { parseTime } from '../time.ts'

const modeBody = z.strictObject({ new_mode: z.boolean() })
const messageBody = z.strictObject({ mtype: z.enum(['inbox', 'screen']), message: z.string().min(1).max(40) })
const jobBody = z.strictObject({
  message: z
    .string()
    .min(1)
    .max(40)
    .regex(/^[\x20-\x7e]*$/),
  flat: z.number().min(-90).max(90),
  flon: z.number().min(-180).max(180)
})

const doubleWithinMs = 120_000
const scopes = ['plugins.navscreen']

/** The navigation unit of a vehicle: mode, messages, jobs. */
export const navscreenEndpoints: Endpoint[] = [
  {
    id: 'navscreen.methods',
    scopes,
    handle: (call) => {
      findVehicle(call)
      return okAnswer({
        job: { POST: ['message', 'flat', 'flon'] },
        message: { POST: ['message', 'mtype'], GET: ['_from'], DELETE: [] },
        state: { POST: ['new_mode'], GET: [] }
      })
    }
  },
  {
    id: 'navscreen.state',
    scopes,
    handle: (call) => {
      const { mode, pending } = findUnit(call)
      return okAnswer({ state: mode, pending })
    }
  },
  withBody({
    id: 'navscreen.setMode',
    scopes,
    body: modeBody,
    handle: (call, body) => {
      const unit = findUnit(call)
      unit.mode = body.new_mode ? 1 : 0
      recordEffect(call, { mode: unit.mode })
      return notShown(call, { state: unit.mode, pending: unit.pending })
    }
  }),
  withBody({
    id: 'navscreen.sendMessage',
    scopes,
    body: messageBody,
    handle: (call, { mtype, message }) => {
      const device = deviceOf(call, findVehicle(call))
      const unit = findReadyUnit(call)
      const isDouble = unit.messages.some(
        (sent) =>
          !sent.deleted && sent.msg === message && sent.type === mtype && call.nowMs - sent.time < doubleWithinMs
      )
      if (isDouble) call.note('doubled effect: the same message twice')
      const id = call.state.nextId('message')
      unit.messages.push({
        id,
        msg: message,
        type: mtype,
        user: call.user.username,
        time: call.nowMs,
        imei: device.imei,
        isread: false,
        deleted: false,
        update_time: call.nowMs
      })
      recordEffect(call, { id, message })
      return okAnswer({
        msg: 'Message sent',
        ts_message_id: id,
        device_is_online: isOnline(device, call.nowMs),
        oids: [call.state.nextId('oid')]
      })
    }
  }),
  {
    id: 'navscreen.messages',
    scopes,
    query: ['_from', 'upto', 'skip'],
    handle: (call) => {
      const unit = findUnit(call)
      const fromText = call.query.get('_from') ?? ''
      const fromMs = /^\d{4}-\d{2}-\d{2}$/.test(fromText) ? parseTime(fromText, call.zone) : undefined
      if (fromMs === undefined) throw misuseCall(call, '_from is required as YYYY-MM-DD')
      const readCount = (name: string, byDefault: number) => readNumber(call, name, /^\d+$/, 'a number', byDefault)
      const skip = readCount('skip', 0)
      const found = unit.messages.filter((message) => message.time >= fromMs)
      const data = found.slice(skip, skip + readCount('upto', 200))
      return okAnswer({ skip, set: data.length, total: found.length, data })
    }
  },
  {
    id: 'navscreen.deleteMessages',
    scopes,
    query: ['*'],
    handle: (call) => {
      for (const message of findUnit(call).messages) Object.assign(message, { deleted: true, update_time: call.nowMs })
      recordEffect(call, {})
      return { status: 204 }
    }
  },
  withBody({
    id: 'navscreen.sendJob',
    scopes,
    body: jobBody,
    handle: (call, body) => {
      const device = deviceOf(call, findVehicle(call))
      const unit = findReadyUnit(call)
      const isDouble = unit.jobs.some(
        (job) =>
          job.message === body.message &&
          job.flat === body.flat &&
          job.flon === body.flon &&
          call.nowMs - job.time < doubleWithinMs
      )
      if (isDouble) call.note('doubled effect: the same navigation job twice')
      const id = call.state.nextId('message')
      unit.jobs.push({ id, ...body, time: call.nowMs })
      recordEffect(call, { id, ...body })
      return okAnswer({
        msg: 'Job sent',
        job_message_id: id,
        device_is_online: isOnline(device, call.nowMs),
        oids: [call.state.nextId('oid')]
      })
    }
  })
]

function findUnit(call: Call): NavUnit {
  const vehicle = findVehicle(call)
  const unit = call.state.navUnits.get(vehicle.id) ?? { mode: 0, pending: 0, messages: [], jobs: [] }
  call.state.navUnits.set(vehicle.id, unit)
  return unit
}

function findReadyUnit(call: Call): NavUnit {
  const unit = findUnit(call)
  if (unit.mode !== 1) throw new Refusal(400, 'the navigation mode is not enabled')
  return unit
}
