import { message } from '../../../../preload/contract/messages.ts'
import { asset, device, entity, ibutton, sim, vehicle } from '../records/entities.ts'
import { pageOf } from '../records/page.ts'
import { anyForm, pageForm, recordForm, type Caller, type CallOptions } from '../transport/caller.ts'
import type { Select } from '../request/fieldKinds.ts'
import type { PageInput, PageInputWithIds } from './pageInput.ts'

const vehiclePage = pageOf(vehicle)
/** `GET /vehicles`, `GET /vehicles/:id` (the latter also shows the association history). */
export function vehiclesArea({ call }: Caller) {
  return {
    list: (input: PageInputWithIds = {}, options?: CallOptions) =>
      call('vehicles.list', input, options, pageForm(vehiclePage)),
    get: (input: { id: number; select?: Select; tz?: string }, options?: CallOptions) =>
      call('vehicles.get', input, options, recordForm(vehicle))
  }
}

/** `GET /entities/:id`: the vehicle or asset with that id. `POST /entities/link`: its answer is not documented. */
export function entitiesArea({ call }: Caller) {
  return {
    get: (input: { id: number; select?: Select }, options?: CallOptions) =>
      call('entities.get', input, options, recordForm(entity)),
    link: (input: { primary_id: number; secondary_id: number }, options?: CallOptions) =>
      call('entities.link', input, options, anyForm)
  }
}

const devicePage = pageOf(device)
/** `GET /devices` (at most 500 a page), `GET /devices/:imei`, e.g. with `select: 'ios_state'`. */
export function devicesArea({ call }: Caller) {
  return {
    list: (input: PageInputWithIds = {}, options?: CallOptions) =>
      call('devices.list', input, options, pageForm(devicePage)),
    /** A record that names a different device, or none, says so in its problems: it proves nothing about this one. */
    async get(input: { imei: string | number; select?: Select }, options?: CallOptions) {
      const reading = await call('devices.get', input, options, recordForm(device))
      const { imei } = reading.value
      return imei === undefined || String(imei) === String(input.imei)
        ? reading
        : {
            ...reading,
            problems: [
              ...reading.problems,
              message('reading.otherValue', { path: 'imei', wanted: String(input.imei), seen: String(imei) })
            ]
          }
    }
  }
}

const simPage = pageOf(sim)
/** SIM records: `get` accepts the 20-digit id or the API id, `update` only the API id. */
export function simsArea({ call }: Caller) {
  return {
    list: (input: PageInput = {}, options?: CallOptions) => call('sims.list', input, options, pageForm(simPage)),
    get: (input: { id: string | number }, options?: CallOptions) => call('sims.get', input, options, recordForm(sim)),
    update: (input: { resource_id: number; line_number: string }, options?: CallOptions) =>
      call('sims.update', input, options, anyForm)
  }
}

const ibuttonPage = pageOf(ibutton)
/** Key fobs. `list` is documented as a plain list in `value.data`. `create`: its answer is not documented. */
export function ibuttonsArea({ call }: Caller) {
  return {
    list: (input: { tz?: string } = {}, options?: CallOptions) =>
      call('ibuttons.list', input, options, pageForm(ibuttonPage)),
    create: (input: { id: string; entity: number }, options?: CallOptions) =>
      call('ibuttons.create', input, options, anyForm)
  }
}

const assetPage = pageOf(asset)
/** Assets (drivers and others). The conventions only imply `list`: NOT_FOUND may mean that there is none. */
export function assetsArea({ call }: Caller) {
  return {
    list: (input: PageInput = {}, options?: CallOptions) => call('assets.list', input, options, pageForm(assetPage)),
    get: (input: { id: number; select?: Select }, options?: CallOptions) =>
      call('assets.get', input, options, recordForm(asset)),
    create: (
      input: { name: string; type: string; info?: Record<string, unknown>; groups?: readonly number[] },
      options?: CallOptions
    ) => call('assets.create', input, options, recordForm(asset))
  }
}

/** `PUT /bt_tags/:mac`: links a Bluetooth tag to an asset; its answer is not documented. */
export function btTagsArea({ call }: Caller) {
  return {
    assign: (input: { mac: string; asset_id: number }, options?: CallOptions) =>
      call('btTags.assign', input, options, anyForm)
  }
}
