import type { AccessoryTest } from '../../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { AccessoryGateway, EventFields } from './ports.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { AccessoryTrials } from './trials.ts'

const lookEveryMs = 3_000
const secondMs = 1_000

export interface TriggerEvaluation {
  keys: readonly string[]
  /** Null when the event lacks a field that decides. */
  evaluate(event: EventFields, before: EventFields | null): boolean | null
}

/**
 * Waits for an event that matches the rules: the gateway's trigger log has no documented address, so the event is the
 * witness.
 */
export async function provokeTrigger(
  { gateway, tests }: { gateway: AccessoryGateway; tests: AccessoryTrials },
  input: { vehicleId: number; name: string; waitS: number },
  trigger: TriggerEvaluation
): Promise<AccessoryTest> {
  const { vehicleId, name } = input
  // Event times have whole seconds.
  const startMs = Math.floor((await gateway.nowMs()) / secondMs) * secondMs
  return tests.start({
    kind: 'trigger',
    vehicleId,
    title: message('triggers.trigger', { name }),
    note: message('triggers.makeItHappen'),
    limitMs: input.waitS * 1000,
    everyMs: lookEveryMs,
    async look(abort) {
      // Entered, exited and delta need the event before the first one.
      const events = await gateway.readEvents(
        vehicleId,
        (field) => trigger.keys.includes(field),
        { sinceMs: startMs - 3_600_000, tail: 400 },
        abort
      )
      let lacking = 0
      let since = 0
      for (const [index, event] of events.entries()) {
        const at = gateway.eventMs(event)
        if (at === undefined || at < startMs) continue
        since += 1
        const verdict = trigger.evaluate(event, events[index - 1] ?? null)
        if (verdict === null) lacking += 1
        if (verdict === true) {
          return {
            kind: 'found',
            note: message('triggers.satisfied', { at: new Date(at).toISOString() }),
            evidence: { before: (events[index - 1] ?? null) as Json, event: event as Json }
          }
        }
      }
      if (since === 0) return { kind: 'waiting', note: message('accessories.noEventYet') }
      if (lacking === since)
        return { kind: 'waiting', note: message('triggers.fieldsMissing', { n: since, fields: [...trigger.keys] }) }
      return { kind: 'waiting', note: message('triggers.noneSatisfies', { n: since }) }
    },
    whenOver: {
      note: message('triggers.notSatisfied', { waitS: input.waitS }),
      remedy: message('triggers.lookAtEvents')
    }
  })
}
