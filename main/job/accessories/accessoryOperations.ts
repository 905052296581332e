import { ulid } from 'ulid'
import type { CallParsed } from '../../../preload/contract/index.ts'
import { bareMac } from '../../../preload/base/messages/hiddenMarks.ts'
import { createAccessoryWork } from '../../gateway/client/accessories/accessoryWork.ts'
import type { Connections } from '../../gateway/accounts/connections.ts'
import type { Copies, SeenRecord } from '../../gateway/localCopy/copies.ts'
import type { NewWork, Operations } from '../../gateway/waitingWork/engine.ts'
import type { OperationKind } from '../../gateway/waitingWork/kind.ts'
import { btTagKey, btTagsAssign, btTagsAssignKind, btTagTitle } from '../../gateway/waitingWork/kinds/btTagsAssign.ts'
import { comparedFirst } from '../../gateway/waitingWork/kinds/fromCopy.ts'
import { geofencesCreate } from '../../gateway/waitingWork/kinds/geofencesCreate.ts'
import {
  ibuttonKey,
  ibuttonsCreate,
  ibuttonsCreateKind,
  ibuttonTitle
} from '../../gateway/waitingWork/kinds/ibuttonsCreate.ts'
import { simKey, simsUpdate, simsUpdateKind, simTitle } from '../../gateway/waitingWork/kinds/simsUpdate.ts'
import { triggersCreate, type TriggerPayload } from '../../gateway/waitingWork/kinds/triggersCreate.ts'
import { z } from 'zod'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { createReferenced, type ReferencedGateway } from '../../gateway/waitingWork/kinds/referenced.ts'

export function accessoryKinds(connections: Connections): OperationKind[] {
  const { installation } = connections
  const work = createAccessoryWork(() => connections.gateway.client())
  return [
    comparedFirst(ibuttonsCreate({ ...work, findExact: installation.findExact }), installation, {
      key: ({ id }) => ibuttonKey(id)
    }),
    comparedFirst(btTagsAssign(work), installation, {
      key: ({ mac }) => btTagKey(mac),
      put: (payload, { id, name }) => ({ ...payload, assetId: id, assetName: name })
    }),
    simsUpdate(work),
    assetsCreate(work.assets),
    comparedFirst<TriggerPayload>(triggersCreate(work.triggers), installation, {
      key: ({ ref }) => `trigger:${ref}`,
      put: (payload, { id }) => ({ ...payload, vehicleId: id })
    }),
    geofencesCreate(work.fences)
  ] as OperationKind[]
}

/** Gateway work for keys, tags, SIM cards and their owners: all of it can wait. */
export function createAccessoryOperations(
  operations: Pick<Operations, 'add'>,
  copies: Pick<Copies, 'seen'>,
  sendSoon: () => void
) {
  async function fromCopy(assetId: number | null, copiedAt: string | null): Promise<{ copied?: SeenRecord[] }> {
    const seen = assetId === null || copiedAt === null ? undefined : await copies.seen('asset', assetId, copiedAt)
    return seen ? { copied: [seen] } : {}
  }

  function add(work: Omit<NewWork, 'draft'> & { draft?: boolean }): { operationId: string } {
    const { id } = operations.add({ draft: false, ...work })
    sendSoon()
    return { operationId: id }
  }

  return {
    /** The owner may still have to be created: then the key waits for it and gets its id. */
    async registerKey({ id, assetId, assetName, assetFrom, copiedAt, jobId }: CallParsed<'accessories.registerKey'>) {
      const payload = { id, assetId, assetName, ...(await fromCopy(assetId, copiedAt)) }
      const needs = assetFrom === null ? [] : [{ id: assetFrom, part: 'asset' }]
      return add({
        kind: ibuttonsCreateKind,
        key: ibuttonKey(id),
        title: ibuttonTitle(payload),
        payload,
        jobId,
        needs,
        draft: assetId === null || payload.copied !== undefined
      })
    },
    createAsset({ name, type, groups, jobId }: CallParsed<'accessories.createAsset'>) {
      const ref = `ref:${ulid()}`
      return add({
        kind: assetsCreateKind,
        key: `asset:${ref}`,
        title: assetTitle({ name, type }),
        payload: { name, type, groups, ref },
        jobId
      })
    },
    async assignTag({ mac, assetId, assetName, copiedAt, jobId }: CallParsed<'accessories.assignTag'>) {
      const payload = { mac: bareMac(mac), assetId, assetName, ...(await fromCopy(assetId, copiedAt)) }
      return {
        ...add({
          kind: btTagsAssignKind,
          key: btTagKey(payload.mac),
          title: btTagTitle(payload),
          payload,
          jobId,
          draft: payload.copied !== undefined
        }),
        mac: payload.mac
      }
    },
    setSimNumber({ iccid, lineNumber, jobId }: CallParsed<'accessories.setSimNumber'>) {
      const payload = { iccid, resourceId: null, lineNumber }
      return add({ kind: simsUpdateKind, key: simKey(iccid), title: simTitle(payload), payload, jobId, draft: true })
    }
  }
}

export const assetPayload = z.object({
  name: z.string(),
  type: z.string(),
  groups: z.array(z.number()),
  ref: z.string()
})
type AssetPayload = z.infer<typeof assetPayload>

export const assetsCreateKind = 'assets.create'

export function assetTitle({ name, type }: Pick<AssetPayload, 'name' | 'type'>): Message {
  return message('operations.createAsset', { type, name })
}

/** Creates an asset, with our reference in its `info`; sent again once, after it was proven absent. */
export function assetsCreate(gateway: ReferencedGateway<AssetPayload>): OperationKind<AssetPayload> {
  return createReferenced({
    kind: assetsCreateKind,
    payload: assetPayload,
    title: assetTitle,
    what: 'asset',
    maxAttempts: 2,
    gateway,
    giveResult: true
  })
}
