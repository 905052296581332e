import { z } from 'zod'
import type { Json } from '../../../../preload/contract/define.ts'
import { foldName, foldPlate } from '../../../../preload/contract/gateway/exactNames.ts'
import type { EntityChoice } from '../../../../preload/contract/gateway/gateway.ts'
import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { Finalised, OperationKind } from '../kind.ts'
import type { NameSearch } from './exactName.ts'

export const copiedRecord = z.object({
  kind: z.enum(['vehicle', 'asset']),
  id: z.number(),
  name: z.string(),
  plate: z.string().nullable(),
  imei: z.string().nullable(),
  /** The device of the job: if the vehicle has it by now, that is no difference. */
  ownImei: z.string().nullable(),
  copiedAt: z.string().nullable()
})
export type CopiedRecord = z.infer<typeof copiedRecord>

/** A part of a payload with ids from the local copy, until the gateway confirms that they still mean the same. */
export const fromCopy = { copied: z.array(copiedRecord).optional() }

export interface RecordReader extends NameSearch {
  /** The current record with this id; null when the gateway does not show it. */
  readRecord(kind: 'vehicle' | 'asset', id: number, signal: AbortSignal): Promise<EntityChoice | null>
}

interface Named<Payload> {
  key(payload: Payload): string
  /** Puts another record into the payload, for a kind that cannot use names. */
  put?(payload: Payload, record: EntityChoice): Payload
}

/** Ids from the local copy are checked at the gateway first; if one now means something else, a person is asked. */
export function comparedFirst<Payload extends { copied?: CopiedRecord[] | undefined }>(
  kind: OperationKind<Payload>,
  gateway: RecordReader,
  named: Named<Payload>
): OperationKind<Payload> {
  return {
    ...kind,
    choose(payload, record) {
      const copied = payload.copied?.filter((one) => one.kind !== record.kind) ?? []
      const rest = { ...payload, copied: undefined }
      const chosen = kind.choose ? kind.choose(rest, record) : (named.put?.(rest, record) ?? rest)
      return { ...(chosen as object), ...(copied.length > 0 ? { copied } : {}) } as Json
    },
    async finalise(payload, signal): Promise<Finalised> {
      for (const was of payload.copied ?? []) {
        const question = await askWhetherSame(gateway, was, signal)
        if (question) return { kind: 'stuck', ...question }
      }
      const { copied: _copied, ...compared } = payload
      const rest = compared as Payload
      return (
        (await kind.finalise?.(rest, signal)) ?? {
          kind: 'ready',
          payload: rest as Json,
          key: named.key(rest),
          title: kind.title(rest)
        }
      )
    }
  }
}

async function askWhetherSame(
  gateway: RecordReader,
  was: CopiedRecord,
  signal: AbortSignal
): Promise<{ reason: Message; raw: Json } | undefined> {
  const is = await gateway.readRecord(was.kind, was.id, signal)
  const reason = differenceOf(was, is)
  if (!reason) return undefined
  const named = await gateway.findExact(was.kind, was.name, signal)
  const others = named.kind === 'one' ? [named.entity] : named.similar
  const similar = new Map([...(is ? [is] : []), ...others].map((one) => [one.id, one]))
  return { reason, raw: { wanted: was.name, was, is, similar: [...similar.values()] } }
}

/** The question for a person before this continues; undefined when the id means the same. */
export function differenceOf(was: CopiedRecord, is: EntityChoice | null): Message | undefined {
  const { kind, id, copiedAt } = was
  const seen = { kind, number: String(id), was: identityOf(was), copiedAt: copiedAt ?? '' }
  if (!is) return message('copied.gone', seen)
  const isRenamed =
    foldName(is.name) !== foldName(was.name) ||
    (was.plate !== null && is.plate !== null && foldPlate(is.plate) !== foldPlate(was.plate))
  if (isRenamed) return message('copied.differs', { ...seen, is: identityOf(is) })
  if (kind === 'vehicle' && is.imei !== null && is.imei !== was.imei && is.imei !== was.ownImei) {
    return message('copied.otherDevice', { ...seen, device: was.imei ?? message('vehicle.noDevice'), imei: is.imei })
  }
  return undefined
}

function identityOf({ name, plate }: Pick<EntityChoice, 'name' | 'plate'>): Message {
  return plate ? message('vehicle.withPlate', { name, plate }) : plainMessage(name)
}
