import { z } from 'zod'
import { json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { OperationKind } from '../kind.ts'
import { fromCopy } from './fromCopy.ts'
import { createReferenced, type ReferencedGateway } from './referenced.ts'

export const triggerPayload = z.object({
  name: z.string(),
  timezone: z.string(),
  vehicleId: z.number(),
  rules: z.array(z.object({ id: z.string(), key: z.string(), operator: z.string(), value: json })),
  postfix: z.array(z.string()),
  emails: z.array(z.string()),
  ref: z.string(),
  ...fromCopy
})
export type TriggerPayload = z.infer<typeof triggerPayload>

export const triggersCreateKind = 'triggers.create'

export function triggerTitle({ name }: Pick<TriggerPayload, 'name'>): Message {
  return message('operations.createTrigger', { name })
}

/** Creates a trigger, with our reference in its description; sent again once, after it was proven absent. */
export function triggersCreate(gateway: ReferencedGateway<TriggerPayload>): OperationKind<TriggerPayload> {
  return createReferenced({
    kind: triggersCreateKind,
    payload: triggerPayload,
    title: triggerTitle,
    what: 'trigger',
    maxAttempts: 2,
    gateway
  })
}
