import { z } from 'zod'
import {
  canSee,
  canSeeDevice,
  findAsset,
  findDevice,
  findEntity,
  findRecord,
  findVehicle,
  isVehicle,
  readId,
  refuseAccess
} from '../access.ts'
import { misuseCall, notShown, okAnswer, recordEffect, Refusal, withBody, type Call, type Endpoint } from '../call.ts'
import { answerCollection, collectionQuery, searchQuery, selectFields } from './collection.ts'
import {
  assetRecord,
  associationHistory,
  deviceRecord,
  groupJoins,
  groupRecord,
  simRecord,
  userRecord,
  vehicleJoins,
  vehicleRecord
} from './records.ts'
import type { Sim } from '../state.ts'
import { zones } from '../time.ts'

const simBody = z.strictObject({ line_number: z.string() })

export const directoryEndpoints: Endpoint[] = [
  {
    id: 'version.get',
    handle: (call) => {
      const record = {
        date: '2026-10-02T00:00:00',
        'live-url': 'wss://live.example.com',
        tag: 'v4.18.2',
        name: '4.18.2'
      }
      const isLater = call.state.shape('version', 2) === 0
      return okAnswer(
        isLater
          ? {
              ...record,
              domain: 'gateway.example.com',
              gateway_id: 77,
              live_url: record['live-url'],
              _deprecated: ['live-url']
            }
          : record
      )
    }
  },
  { id: 'tz.list', handle: (call) => okAnswer({ server_utc_epoch: Math.floor(call.nowMs / 1000), allowed: zones }) },
  { id: 'user.own', handle: (call) => okAnswer(userRecord(call, call.user)) },
  {
    id: 'users.list',
    scopes: ['users'],
    query: searchQuery,
    handle: (call) =>
      answerCollection(
        call,
        call.state.users
          .filter((user) => user.id === call.user.id || canSee(call, user))
          .map((user) => userRecord(call, user))
      )
  },
  {
    id: 'users.get',
    scopes: ['users'],
    query: ['select'],
    handle: (call) => {
      const user = findRecord(call, call.state.users, 'user')
      if (user.id !== call.user.id && !canSee(call, user)) throw refuseAccess(call, 'user')
      return okAnswer(selectFields(call, userRecord(call, user)))
    }
  },
  {
    id: 'groups.list',
    scopes: ['groups'],
    query: searchQuery,
    handle: (call) =>
      answerCollection(call, call.state.groups.filter((group) => call.groups.includes(group.id)).map(groupRecord), {
        joins: groupJoins
      })
  },
  {
    id: 'groups.get',
    scopes: ['groups'],
    query: ['select'],
    handle: (call) => {
      const group = findRecord(call, call.state.groups, 'group')
      if (!call.groups.includes(group.id)) throw refuseAccess(call, 'group')
      return okAnswer(selectFields(call, groupRecord(group), { joins: groupJoins }))
    }
  },
  {
    id: 'vehicles.list',
    scopes: ['vehicles'],
    query: [...searchQuery, 'ids'],
    handle: (call) => {
      const ids = readIds(call)
      const seen = call.state.vehicles.filter((vehicle) => canSee(call, vehicle) && (!ids || ids.includes(vehicle.id)))
      return answerCollection(call, seen.map(vehicleRecord), { joins: vehicleJoins })
    }
  },
  {
    id: 'vehicles.get',
    scopes: ['vehicles'],
    query: ['select'],
    handle: (call) => {
      const vehicle = findVehicle(call, 'id')
      return okAnswer(
        selectFields(call, { ...vehicleRecord(vehicle), ...associationHistory(call, vehicle) }, { joins: vehicleJoins })
      )
    }
  },
  {
    id: 'entities.get',
    scopes: ['vehicles', 'assets'],
    query: ['select'],
    handle: (call) => {
      const entity = findEntity(call, readId(call, 'id'))
      return okAnswer(
        isVehicle(entity)
          ? selectFields(call, vehicleRecord(entity), { joins: vehicleJoins })
          : selectFields(call, assetRecord(entity))
      )
    }
  },
  {
    id: 'devices.list',
    scopes: ['devices'],
    query: collectionQuery,
    handle: (call) =>
      answerCollection(
        call,
        call.state.devices.filter((device) => canSeeDevice(call, device)).map((device) => deviceRecord(call, device)),
        { key: 'imei', maxSet: 500 }
      )
  },
  {
    id: 'devices.get',
    scopes: ['devices'],
    query: ['select'],
    handle: (call) => okAnswer(selectFields(call, deviceRecord(call, findDevice(call)), { key: 'imei' }))
  },
  {
    id: 'sims.list',
    scopes: ['sims'],
    query: searchQuery,
    handle: (call) =>
      answerCollection(
        call,
        call.state.sims.filter((sim) => canSeeSim(call, sim)).map((sim) => simRecord(call, sim))
      )
  },
  {
    id: 'sims.get',
    scopes: ['sims'],
    query: ['select'],
    handle: (call) => {
      const text = call.params['id'] ?? ''
      const sim = call.state.sims.find((candidate) => candidate.iccid === text || String(candidate.id) === text)
      if (!sim || !canSeeSim(call, sim)) throw new Refusal(404, 'SIM not found')
      return okAnswer(selectFields(call, simRecord(call, sim)))
    }
  },
  withBody({
    id: 'sims.update',
    scopes: ['sims'],
    body: simBody,
    handle: (call, body) => {
      const text = call.params['resource_id'] ?? ''
      if (/^\d{18,}$/.test(text))
        throw misuseCall(call, 'PUT /sims works on the id of the record, not on the number of the card', 404)
      const sim = call.state.sims.find((candidate) => String(candidate.id) === text)
      if (!sim || !canSeeSim(call, sim)) throw new Refusal(404, 'SIM not found')
      sim.line_number = body.line_number
      recordEffect(call, { id: sim.id, line_number: sim.line_number })
      return notShown(call, simRecord(call, sim))
    }
  }),
  {
    id: 'assets.get',
    scopes: ['assets'],
    query: ['select'],
    handle: (call) => okAnswer(selectFields(call, assetRecord(findAsset(call, readId(call, 'id')))))
  },
  {
    id: 'assets.list',
    scopes: ['assets'],
    query: searchQuery,
    handle: (call) => {
      if (!call.impliedLists) throw new Refusal(404, 'not found')
      return answerCollection(call, call.state.assets.filter((asset) => canSee(call, asset)).map(assetRecord))
    }
  }
]

/** `ids=<csv>`; undefined when it is absent. */
export function readIds(call: Call, name = 'ids'): number[] | undefined {
  const text = call.query.get(name)
  if (text === null) return undefined
  if (!/^\d+(,\d+)*$/.test(text)) throw misuseCall(call, `${name} is not a comma-separated list of ids`)
  return text.split(',').map(Number)
}

function canSeeSim(call: Call, sim: Sim): boolean {
  const device = call.state.devices.find((candidate) => candidate.imei === sim.imei)
  return !device || canSeeDevice(call, device)
}
