import { z } from 'zod'
import { canSee, findAsset, findEntity, isVehicle } from '../access.ts'
import { misuseCall, notShown, okAnswer, recordEffect, Refusal, withBody, type Call, type Endpoint } from '../call.ts'
import { assetRecord } from './records.ts'
import type { Asset } from '../state.ts'

const linkBody = z.strictObject({ primary_id: z.number().int(), secondary_id: z.number().int() })
const fobBody = z.strictObject({ id: z.string().regex(/^[0-9A-Za-z]{16}$/), entity: z.number().int() })
const tagBody = z.strictObject({ asset_id: z.number().int() })
const assetBody = z.strictObject({
  name: z.string().min(1),
  type: z.string().min(1),
  info: z.record(z.string(), z.unknown()).optional(),
  ibuttons: z.array(z.string().regex(/^[0-9A-Za-z]{16}$/)).optional(),
  groups: z.array(z.number().int()).optional(),
  device: z.number().int().nullable().optional(),
  counters: z.record(z.string(), z.unknown()).nullable().optional()
})

export const linkEndpoints: Endpoint[] = [
  withBody({
    id: 'entities.link',
    scopes: ['entities.link'],
    body: linkBody,
    handle: (call, body) => {
      const primary = findEntity(call, body.primary_id)
      const secondary = findAsset(call, body.secondary_id)
      if (!isVehicle(primary) && primary.device === null) throw new Refusal(400, 'the primary entity does not report')
      const isDouble = call.state.links.some(
        (link) => link.endMs === null && link.primary === primary.id && link.secondary === secondary.id
      )
      if (isDouble) call.note(`doubled effect: ${secondary.id} linked to ${primary.id} twice`)
      linkEntities(call, primary.id, secondary)
      recordEffect(call, { ...body })
      return notShown(call, { primary_id: primary.id, secondary_id: secondary.id })
    }
  }),
  {
    id: 'ibuttons.list',
    scopes: ['assets'],
    handle: (call) => {
      const seen = new Set(call.state.assets.filter((asset) => canSee(call, asset)).map((asset) => asset.id))
      return okAnswer(call.state.ibuttons.filter((fob) => seen.has(fob.entity)))
    }
  },
  withBody({
    id: 'ibuttons.create',
    scopes: ['assets'],
    body: fobBody,
    handle: (call, body) => {
      const asset = findAsset(call, body.entity)
      if (call.state.ibuttons.some((fob) => fob.id.toUpperCase() === body.id.toUpperCase()))
        throw new Refusal(409, 'this iButton exists')
      call.state.ibuttons.push({ id: body.id, entity: asset.id })
      asset.ibuttons.push(body.id)
      recordEffect(call, { ...body })
      return { status: 201, ...(call.state.shape('ibutton created', 2) === 0 ? { body } : {}) }
    }
  }),
  withBody({
    id: 'assets.create',
    scopes: ['assets'],
    body: assetBody,
    handle: (call, body) => {
      const groups = body.groups ?? []
      if (groups.some((group) => !call.groups.includes(group))) throw new Refusal(401, 'not a group of yours')
      const fobs = body.ibuttons ?? []
      if (fobs.some((id) => call.state.ibuttons.some((fob) => fob.id === id)))
        throw new Refusal(409, 'this iButton exists')
      const isDouble = call.state.assets.some(
        (asset) =>
          asset.name === body.name &&
          asset.type === body.type &&
          JSON.stringify(asset.info) === JSON.stringify(body.info ?? {})
      )
      if (isDouble) call.note(`doubled effect: asset ${body.name} made twice`)
      const asset: Asset = {
        id: 100 + call.state.nextId('entity'),
        name: body.name,
        type: body.type,
        info: body.info ?? {},
        ibuttons: fobs,
        groups: groups.length > 0 ? groups : [...call.groups],
        device: body.device ?? null,
        counters: body.counters ?? null
      }
      call.state.assets.push(asset)
      for (const id of fobs) call.state.ibuttons.push({ id, entity: asset.id })
      recordEffect(call, { id: asset.id, name: asset.name })
      return { status: 201, body: call.state.shape('asset created', 2) === 0 ? assetRecord(asset) : { id: asset.id } }
    }
  }),
  withBody({
    id: 'btTags.assign',
    scopes: ['assets'],
    body: tagBody,
    handle: (call, body) => {
      const mac = (call.params['mac'] ?? '').toUpperCase().replaceAll(':', '')
      if (!/^[0-9A-F]{12}$/.test(mac)) throw misuseCall(call, 'mac is not a Bluetooth address')
      const asset = findAsset(call, body.asset_id)
      const known = call.state.btTags.find((tag) => tag.mac === mac)
      if (known) Object.assign(known, { asset_id: asset.id, atMs: call.nowMs })
      else call.state.btTags.push({ mac, asset_id: asset.id, atMs: call.nowMs })
      recordEffect(call, { mac, asset_id: asset.id })
      return notShown(call, { mac: call.params['mac'], asset_id: asset.id })
    }
  })
]

/** Ends conflicting links: another asset of the same type on the primary, the asset on another primary. */
export function linkEntities(
  call: Pick<Call, 'state' | 'nowMs'> & { user: { id: number } },
  primary: number,
  secondary: Asset
): void {
  for (const link of call.state.links) {
    if (link.endMs !== null) continue
    const other = call.state.assets.find((asset) => asset.id === link.secondary)
    if (link.secondary === secondary.id || (link.primary === primary && other?.type === secondary.type))
      link.endMs = call.nowMs
  }
  call.state.links.push({ primary, secondary: secondary.id, startMs: call.nowMs, endMs: null, userId: call.user.id })
}
