import { ulid } from 'ulid'
import { AppError } from '../../preload/contract/errors.ts'
import type { CallParsed } from '../../preload/contract/index.ts'
import { message } from '../../preload/contract/messages.ts'
import type { GatewayClient } from '../gateway/client.ts'
import { checkTrigger, evaluateTrigger, type TriggerConditions } from '../gateway/decoders/trigger.ts'
import { describeTrigger } from '../gateway/decoders/triggerText.ts'
import { createTriggerReader, fenceNames } from '../gateway/triggerReader.ts'
import type { NewWork, Operations } from '../operations/engine.ts'
import { geofencesCreateKind, geofenceTitle } from '../operations/kinds/geofencesCreate.ts'
import { triggersCreateKind, triggerTitle } from '../operations/kinds/triggersCreate.ts'
import type { AccessoryGateway } from './ports.ts'
import type { AccessoryTests } from './tests.ts'
import { provokeTrigger } from './triggerTest.ts'

export interface TriggerParts {
  client(): Promise<GatewayClient>
  gateway: AccessoryGateway
  tests: AccessoryTests
  operations: Pick<Operations, 'add'>
  sendSoon(): void
}

/** Triggers of a vehicle: said in words, made once, and seen to fire. */
export function createTriggerWork({ client, gateway, tests, operations, sendSoon }: TriggerParts) {
  const triggers = createTriggerReader(client)
  const asksForFences = ({ rules }: TriggerConditions): boolean => rules.some(({ operator }) => operator.endsWith('_fence'))

  function add(work: NewWork): { operationId: string } {
    const { id } = operations.add(work)
    sendSoon()
    return { operationId: id }
  }

  return {
    triggers,
    async provoke(input: CallParsed<'triggers.provoke'>, signal: AbortSignal) {
      const conditions: TriggerConditions = { rules: input.rules, postfix: input.postfix }
      refuseBroken(conditions)
      const fences = asksForFences(conditions) ? (await triggers.fences(signal)).fences : []
      const keys = [...new Set(input.rules.flatMap(({ key, operator }) => (operator.endsWith('_fence') ? ['lat', 'lon'] : [key])))]
      return provokeTrigger({ gateway, tests }, input, { keys, evaluate: (event, before) => evaluateTrigger(conditions, event, before, fences) })
    },
    async describeConditions(conditions: TriggerConditions, signal: AbortSignal) {
      const names = asksForFences(conditions) ? fenceNames((await triggers.fences(signal)).fences) : new Map<number, string>()
      return { text: describeTrigger(conditions, names), problems: checkTrigger(conditions) }
    },
    createTrigger({ emails, vehicleId, name, timezone, rules, postfix }: CallParsed<'triggers.create'>) {
      refuseBroken({ rules, postfix })
      const ref = `ref:${ulid()}`
      const payload = { name, timezone, vehicleId, rules, postfix, emails, ref }
      return add({ kind: triggersCreateKind, key: `trigger:${ref}`, title: triggerTitle({ name }), payload, jobId: null, draft: false })
    },
    createFence({ name, latitude, longitude, radiusM }: CallParsed<'triggers.createFence'>) {
      const ref = `ref:${ulid()}`
      const payload = { name, latitude, longitude, radiusM, ref }
      return add({ kind: geofencesCreateKind, key: `fence:${ref}`, title: geofenceTitle({ name, radiusM }), payload, jobId: null, draft: false })
    }
  }
}

function refuseBroken(conditions: TriggerConditions): void {
  const problems = checkTrigger(conditions)
  if (problems.length > 0) throw new AppError('INVALID_REQUEST', message('triggers.broken', { problems }))
}
