import { reportJob, task, trigger, triggerStructure } from '../records/automation.ts'
import { pageOf } from '../records/page.ts'
import { geofence, route, routeState } from '../records/places.ts'
import { anyForm, pageForm, recordForm, type Caller, type CallOptions } from '../transport/caller.ts'
import type { Csv } from '../request/fieldKinds.ts'
import type { PageInput } from './pageInput.ts'

type Nothing = Record<string, never>
type JsonObject = Record<string, unknown>

export type GeofenceShape =
  | { type: 'Polygon'; coordinates: readonly (readonly (readonly number[])[])[] }
  | { type: 'Circle'; radius: number; coordinates: readonly number[] }
  | { type: 'LineString'; radius: number; coordinates: readonly (readonly number[])[] }
export type GeofenceInput = { geometry: GeofenceShape; properties: JsonObject }

const geofencePage = pageOf(geofence)
/**
 * Geofences: [lon, lat] in degrees, radius in meters (a circle at least 50), polygons closed, at most 800 coordinates.
 */
export function geofencesArea({ call }: Caller) {
  return {
    list: (input: PageInput = {}, options?: CallOptions) =>
      call('geofences.list', input, options, pageForm(geofencePage)),
    create: (input: GeofenceInput & { type?: 'Feature' }, options?: CallOptions) =>
      call('geofences.create', input, options, recordForm(geofence)),
    update: (input: GeofenceInput & { id: number }, options?: CallOptions) =>
      call('geofences.update', input, options, recordForm(geofence)),
    delete: (input: { id: number }, options?: CallOptions) => call('geofences.delete', input, options, anyForm)
  }
}

export type RouteInput = {
  active: boolean
  checkpoints: readonly { lat: number; lon: number; buffer: number; name?: string }[]
  schedules: readonly JsonObject[]
  name?: string
  enforce?: boolean | null
  color?: string
  description?: string
  path?: JsonObject
  options?: JsonObject
}

const routeList = pageOf(route)
const routeStates = pageOf(routeState)
/** Routes of an entity; `value.data` holds a list. Only routes that are not finalized can be changed. */
export function routesArea({ call }: Caller) {
  return {
    create: (input: RouteInput & { id: number }, options?: CallOptions) =>
      call('routes.create', input, options, recordForm(route)),
    list: (input: { id: number }, options?: CallOptions) => call('routes.list', input, options, pageForm(routeList)),
    update: (input: RouteInput & { id: number; route_id: number | string }, options?: CallOptions) =>
      call('routes.update', input, options, recordForm(route)),
    delete: (input: { id: number; route_id: number | string }, options?: CallOptions) =>
      call('routes.delete', input, options, anyForm),
    /** The document does not name the parameter for the entity ids: `ids`, as for vehicles. */
    states: (input: { ids?: Csv; vehicles?: Csv } = {}, options?: CallOptions) =>
      call('routes.states', input, options, pageForm(routeStates))
  }
}

export type TriggerInput = {
  name?: string
  description?: string
  type?: string
  category?: 'vehicle' | 'site' | 'user'
  timezone?: string
  rules?: readonly JsonObject[]
  postfix?: readonly string[]
  groups?: unknown
  vehicles?: readonly number[]
  options?: JsonObject
  processes?: readonly unknown[]
}

const triggerPage = pageOf(trigger)
/** Triggers. `list` is only implied by the conventions. */
export function triggersArea({ call }: Caller) {
  return {
    structure: (input: Nothing = {}, options?: CallOptions) =>
      call('triggers.structure', input, options, recordForm(triggerStructure)),
    create: (input: TriggerInput, options?: CallOptions) =>
      call('triggers.create', input, options, recordForm(trigger)),
    list: (input: PageInput = {}, options?: CallOptions) => call('triggers.list', input, options, pageForm(triggerPage))
  }
}

const taskPage = pageOf(task)
/** Scheduled reports. `list` is only implied by the conventions. */
export function tasksArea({ call }: Caller) {
  return {
    create: (
      input: { id?: unknown; name: string; processes: readonly unknown[]; schedule: unknown },
      options?: CallOptions
    ) => call('tasks.create', input, options, recordForm(task)),
    list: (input: PageInput = {}, options?: CallOptions) => call('tasks.list', input, options, pageForm(taskPage))
  }
}

export function reportsArea({ call }: Caller) {
  return {
    engines: (input: Nothing = {}, options?: CallOptions) => call('reports.engines', input, options, anyForm),
    /** `expires` in seconds. */
    start: (
      input: { script: string; name: string; expires: number; engine: string; args: JsonObject },
      options?: CallOptions
    ) => call('reports.start', input, options, recordForm(reportJob)),
    update: (
      input: {
        job_id: string | number
        parameters?: JsonObject
        progress?: JsonObject
        state?: 'running' | 'error' | 'done'
        result?: JsonObject
      },
      options?: CallOptions
    ) => call('reports.update', input, options, recordForm(reportJob)),
    /** The file unchanged, JSON parsed, otherwise {mediaType, text or base64}. */
    file: (input: { job_id: string | number; file: string }, options?: CallOptions) =>
      call<unknown>('reports.file', input, options, { kind: 'file', isHtmlExpected: /\.html?$/i.test(input.file) })
  }
}
