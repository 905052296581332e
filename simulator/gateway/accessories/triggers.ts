import { z } from 'zod'
import { canSee } from '../access.ts'
import { misuseCall, okAnswer, recordEffect, Refusal, withBody, type Call, type Endpoint } from '../call.ts'
import { answerCollection, searchQuery } from '../records/collection.ts'
import type { JsonRecord, StoredRecord } from '../state.ts'
import { isZone } from '../time.ts'

const category = (key: string, ...ruleKeys: string[]): JsonRecord => ({ rule_keys: ruleKeys, key })

const structure = {
  site: {
    status: category('pid', 'devices_online', 'events_per_minute'),
    notification: category('pid', 'message'),
    $default: category('pid', 'name')
  },
  user: { access: category('id', 'origin', 'app'), $default: category('id', 'username') },
  vehicle: {
    'device-diagnostic': category('vehicle', 'cf_rssi', 'sv', 'valid_position'),
    event: category(
      'vid',
      'label',
      'code',
      'type',
      'lat',
      'lon',
      'speed',
      'head',
      'valid_position',
      'io_exp_in1',
      'ecu_battery'
    ),
    counter: category('vid', 'dev_dist', 'dev_ign', 'dev_idle', 'ecu_dist'),
    $default: category('id', 'name')
  }
}

const fences = z.strictObject({
  fences: z.array(z.number().int()).optional(),
  types: z.array(z.number().int()).optional()
})
const steps = z.strictObject({
  value: z.number(),
  start: z.number().optional(),
  end: z.number().optional(),
  pre: z.number().optional(),
  post: z.number().optional(),
  freq: z.number().optional()
})
const plainValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
const rule = <O extends readonly [string, ...string[]], V extends z.ZodType>(operators: O, value: V) =>
  z.strictObject({ id: z.string().min(1), key: z.string().min(1), operator: z.enum(operators), value })

const ruleSchema = z.union([
  rule(['>=', '==', '<=', '!=', '<', '>'], plainValue),
  rule(['within'], z.array(plainValue)),
  rule(['inside_fence', 'outside_fence', 'entered_fence', 'exited_fence'], fences),
  rule(['delta', 'delta+', 'delta-'], steps)
])

const processSchema = z.union([
  z.tuple([z.literal('email_event'), z.strictObject({ destinations: z.array(z.email()).min(1) })]),
  z.tuple([
    z.literal('consume_resource'),
    z.strictObject({
      resource: z.url(),
      method: z.string(),
      headers: z.record(z.string(), z.string()).optional(),
      template: z.string().optional()
    })
  ]),
  z.tuple([
    z.string().refine((name) => !['email_event', 'consume_resource'].includes(name), 'wrong parameters'),
    z.record(z.string(), z.unknown())
  ])
])

/** "Create empty first, then add rules": every field may be absent. */
const triggerBody = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  type: z.literal('event').optional(),
  category: z.enum(['vehicle', 'site', 'user']).optional(),
  timezone: z.string().refine(isZone, 'not a zone of GET /tz').optional(),
  rules: z.array(ruleSchema).optional(),
  postfix: z.array(z.string()).optional(),
  groups: z
    .union([z.number().int(), z.array(z.number().int())])
    .nullable()
    .optional(),
  vehicles: z.array(z.number().int()).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  processes: z.array(processSchema).optional()
})

type TriggerBody = z.infer<typeof triggerBody>

export const triggerEndpoints: Endpoint[] = [
  { id: 'triggers.structure', scopes: ['triggers'], handle: () => okAnswer({ structure }) },
  withBody({
    id: 'triggers.create',
    scopes: ['triggers'],
    body: triggerBody,
    handle: (call, body) => {
      checkPostfix(call, body)
      for (const id of body.vehicles ?? []) {
        const vehicle = call.state.vehicles.find((candidate) => candidate.id === id)
        if (!vehicle || !canSee(call, vehicle)) throw new Refusal(404, `vehicle ${id} not found`)
      }
      const text = JSON.stringify(body)
      const isDouble =
        text !== '{}' && call.state.triggers.some((known) => known.owner === call.user.id && known['asked'] === text)
      if (isDouble) call.note(`doubled effect: trigger ${body.name ?? ''} made twice`)
      const trigger: StoredRecord = {
        ...fillTrigger(body),
        asked: text,
        id: call.state.nextId('trigger'),
        owner: call.user.id,
        __updated: Math.floor(call.nowMs / 1000)
      }
      call.state.triggers.push(trigger)
      recordEffect(call, { id: trigger.id, name: body.name ?? '' })
      return { status: 201, body: shownTrigger(trigger) }
    }
  }),
  {
    id: 'triggers.list',
    scopes: ['triggers'],
    query: searchQuery,
    handle: (call) => {
      if (!call.impliedLists) throw new Refusal(404, 'not found')
      return answerCollection(
        call,
        call.state.triggers.filter((trigger) => trigger.owner === call.user.id).map(shownTrigger)
      )
    }
  }
]

function fillTrigger(body: TriggerBody): JsonRecord {
  return {
    name: '',
    description: '',
    type: 'event',
    category: 'vehicle',
    timezone: 'UTC',
    rules: [],
    postfix: [],
    groups: null,
    vehicles: [],
    options: {},
    processes: [],
    ...body
  }
}

function shownTrigger({ owner: _, asked: __, ...trigger }: StoredRecord): JsonRecord {
  return trigger
}

/** Rule ids first, then operators; exactly one truth value must remain. */
function checkPostfix(call: Call, { rules = [], postfix = [] }: TriggerBody): void {
  const ids = new Set(rules.map(({ id }) => id))
  if (ids.size < rules.length) throw misuseCall(call, 'two rules have the same id')
  if (postfix.length === 0) return
  let depth = 0
  for (const item of postfix) {
    if (ids.has(item)) depth++
    else if (item === 'and' || item === 'or') depth--
    else if (item !== 'not') throw misuseCall(call, `postfix names ${item}, which is no rule`)
    if (depth < 1) throw misuseCall(call, 'postfix takes more than it has')
  }
  if (depth !== 1) throw misuseCall(call, 'postfix leaves more than one value')
}
