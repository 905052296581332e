import type { Json } from '../../../../preload/contract/define.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { shapeOf } from '../vehicles/fences.ts'
import { nullIfUnreadable, orNull } from '../transport/orNull.ts'
import type { Trigger } from '../records/automation.ts'
import type { Geofence } from '../records/places.ts'
import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import type { KnownTrigger } from '../../../../preload/contract/gateway/triggers.ts'
import type { GatewayClient } from '../client.ts'
import type { Fields } from '../decoders/fields.ts'
import type { FenceShape } from '../../../../preload/base/maps/geofence.ts'
import { checkTrigger, type FenceOfRule, type TriggerConditions, type TriggerRule } from '../decoders/trigger.ts'
import { describeTrigger } from '../decoders/triggerText.ts'
import { readAllPages } from '../transport/paging.ts'

export interface NamedFence extends FenceOfRule {
  name: string | null
  what: Message
}

export function fenceNames(fences: readonly NamedFence[]): Map<number, string> {
  return new Map(fences.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}

const mostRead = 2_000

/** Triggers and the geofences in their rules. */
export function createTriggerReader(
  client: () => Promise<GatewayClient>,
  labelsOf: (signal: AbortSignal) => Promise<Fields>
) {
  async function fences(signal: AbortSignal): Promise<{ fences: NamedFence[]; complete: boolean }> {
    const gateway = await client()
    const all = await readAllPages((where) => gateway.geofences.list(where, { signal, priority: 'person' }), {
      set: 1_000,
      maxItems: mostRead
    })
    return { fences: all.items.map(fenceOf).filter((fence) => fence !== undefined), complete: all.isComplete }
  }

  return {
    fences,

    async structure(signal: AbortSignal): Promise<{ category: string; type: string; keys: string[] }[]> {
      const { value } = await (await client()).triggers.structure({}, { signal, priority: 'person' })
      return triggerCategories(value.structure ?? {})
    },

    /** Null when this gateway has no such list: the conventions only imply it. */
    async list(
      vehicleId: number,
      signal: AbortSignal
    ): Promise<{ triggers: KnownTrigger[]; complete: boolean } | null> {
      const gateway = await client()
      const names = fenceNames((await fences(signal).catch(emptyWhenHidden)).fences)
      const labels = await labelsOf(signal).catch(nullIfUnreadable)
      return orNull(async () => {
        const all = await readAllPages((where) => gateway.triggers.list(where, { signal, priority: 'person' }), {
          set: 1_000,
          maxItems: mostRead
        })
        return {
          triggers: all.items.map((trigger) => known(trigger, vehicleId, { names, labels })),
          complete: all.isComplete
        }
      })
    }
  }
}

export function triggerCategories(structure: object): { category: string; type: string; keys: string[] }[] {
  const entries: { category: string; type: string; keys: string[] }[] = []
  for (const [category, types] of Object.entries(structure)) {
    if (types === null || typeof types !== 'object') continue
    for (const [type, definition] of Object.entries(types as object)) {
      const keys = (definition as { rule_keys?: unknown } | null)?.rule_keys
      if (Array.isArray(keys)) entries.push({ category, type, keys: keys.filter((key) => typeof key === 'string') })
    }
  }
  return entries
}

function emptyWhenHidden(error: unknown): { fences: NamedFence[]; complete: boolean } {
  if (error instanceof AppError && ['NOT_FOUND', 'NOT_PERMITTED'].includes(error.code))
    return { fences: [], complete: false }
  throw error
}

function known(
  trigger: Sparse<Trigger>,
  vehicleId: number,
  { names, labels }: { names: ReadonlyMap<number, string>; labels: Fields | null }
): KnownTrigger {
  const conditions = conditionsOf(trigger)
  const vehicles = (trigger.vehicles ?? []).filter((id) => typeof id === 'number')
  const isEmpty = conditions.rules.length === 0
  return {
    id: trigger.id ?? null,
    name: trigger.name ?? '',
    description: trigger.description ?? '',
    category: trigger.category ?? '',
    vehicles,
    isForVehicle: vehicles.includes(vehicleId),
    text: isEmpty ? null : describeTrigger(conditions, names, labels),
    problems: isEmpty ? [] : checkTrigger(conditions),
    rules: (trigger.rules ?? []) as Json,
    postfix: [...conditions.postfix]
  }
}

function conditionsOf(trigger: Sparse<Trigger>): TriggerConditions {
  const rules = (trigger.rules ?? []).flatMap((rule): TriggerRule[] => {
    const { id, key, operator, value } = (rule ?? {}) as Partial<TriggerRule>
    return typeof id === 'string' && typeof operator === 'string' ? [{ id, key: key ?? '', operator, value }] : []
  })
  return { rules, postfix: (trigger.postfix ?? []).filter((item) => typeof item === 'string') }
}

/** A geofence with its shape; undefined when unreadable. */
export function fenceOf(fence: Sparse<Geofence>): NamedFence | undefined {
  const id = fence.id ?? fence.properties?.id
  const shape = shapeOf(fence.geometry)
  if (id === undefined || shape === undefined) return undefined
  return {
    id,
    name: fence.properties?.name ?? null,
    what: sayShape(shape),
    types: (fence.properties?.types ?? []).filter((type) => typeof type === 'number'),
    shape
  }
}

function sayShape(shape: FenceShape): Message {
  if (shape.type === 'Polygon') return message('triggers.polygon')
  return message(shape.type === 'Circle' ? 'triggers.circle' : 'triggers.line', { radiusM: Math.round(shape.radiusM) })
}
