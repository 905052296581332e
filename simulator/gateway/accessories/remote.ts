import { z } from 'zod'
import { deviceOf, findDevice, findVehicle, isOnline } from '../access.ts'
import { misuseCall, okAnswer, recordEffect, withBody, type Call, type Endpoint } from '../call.ts'
import { ecuField } from '../rawdata/catalogue.ts'
import type { JsonRecord } from '../state.ts'

const outputBody = z.strictObject({ otype: z.string().min(1), out: z.number().int(), state: z.boolean() })

/** The same command twice within this time counts as sent twice. */
const doubleWithinS = 120

export const remoteEndpoints: Endpoint[] = [
  withBody({
    id: 'remote.output',
    scopes: ['remote.output', 'remote'],
    body: outputBody,
    handle: (call, { otype, out, state }) => {
      const vehicle = findVehicle(call)
      const device = deviceOf(call, vehicle)
      if (out < 1 || out > 4) throw misuseCall(call, 'out is not 1 to 4')
      const nowS = Math.floor(call.nowMs / 1000)
      const last = call.state.outputLog.findLast(
        (item) => item.imei === device.imei && item.otype === otype && item.out === out
      )
      if (last?.state === state && nowS - last.time < doubleWithinS)
        call.note(`doubled effect: output ${otype} ${out} set to ${String(state)} twice`)
      call.state.outputLog.push({ imei: device.imei, state, otype, out, user: call.user.username, time: nowS })
      recordEffect(call, { vid: vehicle.id, otype, out, state })
      const isConnected = isOnline(device, call.nowMs)
      const line = out as 1 | 2 | 3 | 4
      if (otype === 'e') device.io[`io_exp_out${out}`] = state
      else if (!isConnected) device.waitingOutputs.push({ out: line, state })
      else if (!call.tellDevice({ imei: String(device.imei), out: line, state }) && out <= 2)
        device.io[`io_out${out}`] = state
      return okAnswer({
        msg: isConnected ? 'Command sent' : 'Command queued',
        device_is_online: isConnected,
        oids: [call.state.nextId('oid')]
      })
    }
  }),
  {
    id: 'remote.outputLog',
    scopes: ['remote.outputsetlog', 'remote'],
    handle: (call) => okAnswer(readLog(call, deviceOf(call, findVehicle(call, 'id')).imei))
  },
  {
    id: 'remote.deviceOutputLog',
    scopes: ['remote.outputsetlog', 'remote'],
    handle: (call) => okAnswer(readLog(call, findDevice(call).imei))
  },
  {
    id: 'remote.ecuState',
    scopes: ['remote', 'remote.ecu_console'],
    handle: (call) => {
      const device = deviceOf(call, findVehicle(call))
      const report = device.report
      const names = report?.ecu.parameters ?? []
      const isDetected = report?.ecu.detected ?? false
      const updated = device.lastReportMs === null ? 0 : Math.floor(device.lastReportMs / 1000)
      return okAnswer({
        protocol_name: isDetected ? 'J1939' : '',
        protocol: isDetected ? 2 : 0,
        upgrading: false,
        ecu_fw: 214,
        ecu_fw_full: '2.1.4',
        detected: isDetected,
        engineison: isDetected && (report?.engineOn ?? false),
        ecu_parameters_0: isDetected ? 2 ** Math.min(names.length + 2, 31) - 1 : 0,
        ecu_parameters_1: 0,
        params_numbers: isDetected ? [1, 2, ...names.map((_, index) => index + 3)] : [],
        params: isDetected
          ? [
              ['ecu_battery', 'supply voltage, mV'],
              ['ecu_rpm', 'engine speed, rpm'],
              ...names.map((name) => [ecuField(name), name])
            ]
          : [],
        _epoch: updated,
        ecu_updateepoch: updated
      })
    }
  }
]

function readLog(call: Call, imei: number): JsonRecord[] {
  return call.state.outputLog
    .filter((item) => item.imei === imei)
    .map(({ state, otype, out, user, time }) => ({ state, otype, out, user, time }))
}
