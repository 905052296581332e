import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { findEntity, findRecord, readId } from '../access.ts'
import {
  misuseCall,
  okAnswer,
  recordEffect,
  Refusal,
  withBody,
  withoutOwner,
  type Call,
  type Endpoint
} from '../call.ts'
import type { GatewayState, JsonRecord } from '../state.ts'
import { formatTime, isZone, parseTime } from '../time.ts'

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const stop = z.strictObject({
  time: clockTime.nullable().optional(),
  min_duration: z.number().nonnegative().nullable().optional(),
  max_duration: z.number().nonnegative().nullable().optional(),
  mandatory: z.boolean().optional(),
  optional: z.boolean().optional()
})

const schedule = z.strictObject({
  active: z.boolean(),
  timezone: z.string().refine(isZone, 'not a zone of GET /tz'),
  repeat: z.string().regex(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(,(Mon|Tue|Wed|Thu|Fri|Sat|Sun))*$/),
  valid_until: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.000Z$/)
    .nullable()
    .optional(),
  checkpoints: z
    .array(stop)
    .min(2)
    .refine((stops) => stops[0]?.time && stops.at(-1)?.time, 'origin and destination need a time')
})

const routeBody = z.strictObject({
  id: z.number().optional(),
  uuid: z.string().optional(),
  primary_id: z.number().optional(),
  name: z.string().optional(),
  description: z.string().nullable().optional(),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{3,8}$/)
    .optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  active: z.boolean(),
  enforce: z.boolean().nullable().optional(),
  checkpoints: z
    .array(
      z.strictObject({ lat: z.number(), lon: z.number(), buffer: z.number().positive(), name: z.string().optional() })
    )
    .min(2),
  schedules: z.array(schedule),
  path: z.strictObject({ buffer: z.number().positive(), encoding: z.string() }).nullable().optional(),
  created_at: z.string().optional(),
  edited_at: z.string().optional(),
  __updated: z.union([z.number(), z.string()]).optional()
})

type RouteBody = z.infer<typeof routeBody>
type Route = GatewayState['routes'][number]

export const routeEndpoints: Endpoint[] = [
  withBody({
    id: 'routes.create',
    scopes: ['routes'],
    body: routeBody,
    handle: (call, body) => {
      const entity = findEntity(call, readId(call, 'id'))
      const now = formatTime(call.nowMs, 'UTC')
      const isDouble = call.state.routes.some(
        (route) =>
          route.primary_id === entity.id &&
          route['name'] === body.name &&
          JSON.stringify(route['checkpoints']) === JSON.stringify(body.checkpoints)
      )
      if (isDouble) call.note(`doubled effect: route ${body.name ?? ''} made twice`)
      const route: Route = {
        ...fillRoute(body),
        id: call.state.nextId('route'),
        uuid: randomUUID(),
        primary_id: entity.id,
        owner: call.user.id,
        created_at: now,
        edited_at: now,
        __updated: now
      }
      call.state.routes.push(route)
      recordEffect(call, { id: route.id })
      return { status: 201, body: withoutOwner(route) }
    }
  }),
  {
    id: 'routes.list',
    scopes: ['routes'],
    handle: (call) => {
      const entity = findEntity(call, readId(call, 'id'))
      return okAnswer(call.state.routes.filter((route) => route.primary_id === entity.id).map(withoutOwner))
    }
  },
  withBody({
    id: 'routes.update',
    scopes: ['routes'],
    body: routeBody,
    handle: (call, body) => {
      const old = findRoute(call)
      if (routeState(call, old)['finalized'] === true) throw new Refusal(403, 'the route is finalized')
      const { id, uuid, primary_id, owner, created_at } = old
      const now = formatTime(call.nowMs, 'UTC')
      const route: Route = {
        ...fillRoute(body),
        id,
        uuid,
        primary_id,
        owner,
        created_at,
        edited_at: now,
        __updated: now
      }
      call.state.routes[call.state.routes.indexOf(old)] = route
      recordEffect(call, { id })
      return okAnswer(withoutOwner(route))
    }
  }),
  {
    id: 'routes.delete',
    scopes: ['routes'],
    handle: (call) => {
      call.state.routes.splice(call.state.routes.indexOf(findRoute(call)), 1)
      recordEffect(call, {})
      return { status: 204 }
    }
  },
  {
    id: 'routes.states',
    scopes: ['routes'],
    // The document says "one or many entity ids" and does not name the parameter.
    query: ['*'],
    handle: (call) => {
      const ids = [...call.query].filter(([name]) => name !== 'tz').flatMap(([, value]) => value.split(',').map(Number))
      if (ids.length === 0 || ids.some(Number.isNaN)) throw misuseCall(call, 'route states need one or many entity ids')
      const seen = new Set(ids.map((id) => findEntity(call, id).id))
      return okAnswer(
        call.state.routes.filter((route) => seen.has(route.primary_id)).map((route) => routeState(call, route))
      )
    }
  }
]

function fillRoute(body: RouteBody): JsonRecord {
  return { name: '', description: '', color: '#2c7fb8', options: {}, enforce: null, path: null, ...body }
}

function findRoute(call: Call): Route {
  const entity = findEntity(call, readId(call, 'id'))
  return findRecord(
    call,
    call.state.routes.filter((route) => route.primary_id === entity.id),
    'route',
    'route_id'
  )
}

/** The state on the day of the route; finalized after the arrival time. */
function routeState(call: Call, route: Route): JsonRecord {
  const checkpoints = route['checkpoints'] as RouteBody['checkpoints']
  const plan = (route['schedules'] as RouteBody['schedules'])[0]
  const zone = plan?.timezone ?? 'UTC'
  const madeMs = Date.parse(String(route['created_at']))
  const day = formatTime(madeMs, zone).slice(0, 10)
  const moment = (time: string | null | undefined): number => parseTime(`${day}T${time ?? '00:00'}:00`, zone) ?? madeMs
  const startMs = moment(plan?.checkpoints[0]?.time)
  const arrivalMs = moment(plan?.checkpoints.at(-1)?.time)
  const endMs = arrivalMs < startMs ? arrivalMs + 86_400_000 : arrivalMs
  const isFinalized = plan !== undefined && call.nowMs > endMs
  const compact = (ms: number): string => formatTime(ms, zone).slice(2, 16).replace(/[-T:]/g, '')
  const last = checkpoints.length - 1
  return {
    name: route['name'],
    color: route['color'],
    route_id: route.id,
    route_start: compact(startMs),
    route_end: compact(endMs),
    start_epoch: Math.floor(startMs / 1000),
    end_epoch: Math.floor(endMs / 1000),
    updated_at: formatTime(call.nowMs, call.zone),
    finalized: isFinalized,
    finalized_cpt: isFinalized ? checkpoints.length : 0,
    is_outside_path: false,
    exited_path: null,
    path: route['path'] ?? null,
    checkpoints: checkpoints.map(({ lat, lon, buffer, name }, index) => {
      const { time = null, min_duration = null, max_duration = null, mandatory = true } = plan?.checkpoints[index] ?? {}
      const id = index === 0 ? 'cpt.start' : index === last ? 'cpt.end' : `cpt.${index}`
      return {
        id,
        name: name ?? '',
        geometry: [lon, lat, buffer],
        time,
        min_duration,
        max_duration,
        mandatory,
        finalized: isFinalized,
        events: { entered: null, last: null, exited: null }
      }
    })
  }
}
