import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { message, plainMessage } from '../../../../preload/contract/messages.ts'
import type { AccessoryEvent, AccessoryPort } from '../engine/accessoryPort.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { askPatiently } from '../engine/askGateway.ts'
import { fail, pass, unreadable, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import {
  finishByEvents,
  followEvents,
  notExposed,
  unreadableField,
  waitsForGateway,
  type EventJudge
} from './accessoryEvents.ts'
import { registerKey } from './keyOwner.ts'

/** After this time, a key that the gateway does not know is reported: until then the right key may follow. */
const wrongKeyMs = 30_000

/**
 * Each held key puts its owner (`aid`) into the vehicle's events; one who was there before needs a new entry of the
 * history.
 */
export async function checkIButton(context: CheckContext<'iButton'>): Promise<Outcome> {
  const { signal, plan, profile } = context
  const port = context.gateway.accessories
  const reply = await askPatiently(context, () => port.readKeys(signal))
  if (reply.kind === 'away') return waitsForGateway(reply.why, profile.iButton.giveUpS)
  if (reply.kind === 'no') return fail(reply.why, message('jobs.askWhetherShown'), ['gateway'])
  if (reply.value === null)
    return fail(message('accessoryChecks.keysHidden'), message('jobs.askWhetherShown'), ['gateway'])
  const keys = [...reply.value]
  for (const id of plan.ids ?? []) {
    if (keys.some((key) => isSame(key.id, id))) continue
    const owner = await registerKey(context, id)
    if (owner.kind === 'ended') return owner.outcome
    keys.push({ id, assetId: owner.assetId })
  }
  const { job } = context
  const judge = keyJudge({
    port,
    keys,
    imei: job.device.imei,
    vehicleId: () => context.job.vehicle?.id ?? null,
    signal
  })
  return followEvents(context, {
    giveUpS: profile.iButton.giveUpS,
    say: message('accessoryChecks.holdKeys'),
    isAct: true,
    judge
  })
}

export const finishIButton = finishByEvents<'iButton'>(async ({ job, gateway, signal }) => {
  const keys = await gateway.accessories.readKeys(signal)
  if (keys === null) throw new AppError('NOT_PERMITTED', message('accessoryChecks.keysHidden'), { fate: 'refused' })
  return keyJudge({
    port: gateway.accessories,
    keys,
    imei: job().device.imei,
    vehicleId: () => job().vehicle?.id ?? null,
    signal
  })
})

export interface KeyParts {
  port: AccessoryPort
  keys: readonly { id: string; assetId: number | null }[]
  imei: string
  vehicleId(): number | null
  signal: AbortSignal
}

export function keyJudge({ port, keys, imei, vehicleId, signal }: KeyParts): EventJudge<'iButton'> {
  const names = new Map<number, string>()
  let wording: 1 | 2 = 1

  async function nameOf(assetId: number): Promise<string> {
    const known = names.get(assetId)
    if (known !== undefined) return known
    const name = (await port.nameOfAsset(assetId, signal)) ?? `${assetId}`
    names.set(assetId, name)
    return name
  }

  return async ({ events, before, fields, startMs, nowMs, plan, isOver }) => {
    if (!fields.has('aid')) return { outcome: notExposed('aid'), rows: [], hint: null, seen: [] }
    const wanted =
      plan.ids?.map((id) => ({ id, assetId: keys.find((key) => isSame(key.id, id))?.assetId ?? null })) ?? []
    const owners = new Set(
      (plan.ids ? wanted : keys).map(({ assetId }) => assetId).filter((assetId) => assetId !== null)
    )
    const named = new Map<number, AccessoryEvent>()
    for (const event of events) if (event.assetId !== null && !named.has(event.assetId)) named.set(event.assetId, event)
    const wasThere = new Set(before.map(({ assetId }) => assetId))
    const namedLastMs = (id: number): number =>
      Math.max(0, ...before.filter(({ assetId }) => assetId === id).map(({ eventAtMs }) => eventAtMs))
    const proved = new Set<number>()
    for (const assetId of owners) {
      if (!named.has(assetId)) continue
      // Without an earlier event, the previous owner is unknown.
      if (before.length > 0 && !wasThere.has(assetId)) proved.add(assetId)
      else {
        wording = wording === 1 ? 2 : 1
        const link = await port.findLink(
          { imei, vehicleId: vehicleId(), assetId, sinceMs: startMs, afterMs: namedLastMs(assetId), wording },
          signal
        )
        if (link.found && link.sure) proved.add(assetId)
      }
    }
    const others = [...named.keys()].filter(
      (assetId) => !owners.has(assetId) && !wasThere.has(assetId) && before.length > 0
    )
    const unknownTap = events.findLast(
      (event) => isTap(event) && (event.assetId === null || (wasThere.has(event.assetId) && !proved.has(event.assetId)))
    )
    const rows: SeenRow[] = []
    for (const { id, assetId } of wanted) {
      const owner = assetId === null ? null : plainMessage(await nameOf(assetId))
      const isProved = assetId !== null && proved.has(assetId)
      rows.push({
        label: plainMessage(id),
        wanted: owner ?? message('accessoryChecks.ownerUnknown'),
        device: null,
        gateway: isProved ? owner : null,
        verdict: isProved ? 'agrees' : isOver ? 'missing' : 'waiting'
      })
    }
    if (!plan.ids)
      for (const assetId of proved)
        rows.push({
          label: plainMessage(keys.find((key) => key.assetId === assetId)?.id ?? ''),
          wanted: null,
          device: null,
          gateway: plainMessage(await nameOf(assetId)),
          verdict: 'received'
        })
    for (const assetId of others)
      rows.push({
        label: message('accessoryChecks.anotherKey'),
        wanted: null,
        device: null,
        gateway: plainMessage(await nameOf(assetId)),
        verdict: 'notOrdered'
      })
    const otherNames = await Promise.all(others.map(nameOf))
    const hint =
      otherNames.length > 0
        ? message('accessoryChecks.keyOfOthers', { names: otherNames })
        : unknownTap
          ? message('accessoryChecks.keyUnknown')
          : null
    const seen = await Promise.all(
      [...proved].flatMap((assetId) => {
        const event = named.get(assetId)
        return event
          ? [nameOf(assetId).then((name) => ({ what: message('accessoryChecks.eventNames', { name }), event }))]
          : []
      })
    )
    return { outcome: await outcomeOf(), rows, hint, seen }

    async function outcomeOf(): Promise<Outcome | null> {
      const isDone = plan.ids ? wanted.every(({ assetId }) => assetId !== null && proved.has(assetId)) : proved.size > 0
      if (isDone) {
        const provedNames = await Promise.all([...proved].map(nameOf))
        return withFigure(
          message('accessoryChecks.keyCount', { n: proved.size }),
          pass(message('accessoryChecks.keysSeen', { names: provedNames }), ['gateway'])
        )
      }
      const isWrongKey = unknownTap !== undefined && nowMs - unknownTap.eventAtMs >= wrongKeyMs
      if (isWrongKey || (isOver && unknownTap))
        return fail(message('accessoryChecks.keyUnknown'), message('accessoryChecks.registerIt'), ['gateway'])
      if (!isOver) return null
      const odd = unreadableField(events, ['aid'])
      if (odd)
        return unreadable(message('accessoryChecks.fieldUnreadable', { field: odd }), message('jobs.lookAtRawAnswer'))
      if (hint) return fail(hint, message('accessoryChecks.takeRightKey'), ['gateway'])
      return fail(message('accessoryChecks.keyNotSeen'), message('accessories.checkReader'), ['gateway'])
    }
  }
}

/** The document defines no label for it; devices that report the tap itself use the key as its label. */
function isTap({ label }: AccessoryEvent): boolean {
  return label !== null && /i-?button|key[ _-]?fob/i.test(label)
}

function isSame(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase()
}
