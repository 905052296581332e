import type { AccessoryTest } from '../../preload/contract/accessories.ts'
import type { Json } from '../../preload/contract/define.ts'
import type { AccessoryGateway, EventFields } from './ports.ts'
import type { Waits } from './waits.ts'

const lookEveryMs = 3_000
const secondMs = 1_000

export interface TriggerEvaluation {
  /** Names of the event fields that the rules look at. */
  keys: readonly string[]
  /** Null when the event lacks a field that decides. */
  evaluate(event: EventFields, before: EventFields | null): boolean | null
}

/**
 * Waits for an event that satisfies the rules. The trigger log of the gateway has no documented address: the event is
 * the witness, and it is said so.
 */
export async function provokeTrigger(
  { gateway, waits }: { gateway: AccessoryGateway; waits: Waits },
  input: { vehicleId: number; name: string; waitS: number },
  trigger: TriggerEvaluation
): Promise<AccessoryTest> {
  const { vehicleId, name } = input
  // Event times have whole seconds.
  const startMs = Math.floor((await gateway.nowMs()) / secondMs) * secondMs
  return waits.start({
    kind: 'trigger',
    vehicleId,
    title: `Trigger ${name}`,
    note: 'Make it happen at the vehicle now.',
    limitMs: input.waitS * 1000,
    everyMs: lookEveryMs,
    async look(abort) {
      // Entered, exited and delta need the event before the first one.
      const events = await gateway.readEvents(vehicleId, (field) => trigger.keys.includes(field), { sinceMs: startMs - 3_600_000, tail: 400 }, abort)
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
            note: `The event of ${new Date(at).toISOString().slice(11, 19)} UTC satisfies the rules. The gateway's own trigger log cannot be read.`,
            evidence: { before: (events[index - 1] ?? null) as Json, event: event as Json }
          }
        }
      }
      if (since === 0) return { kind: 'waiting', note: 'No event of the vehicle came since the start.' }
      if (lacking === since) return { kind: 'waiting', note: `${since} events came; none has the fields ${trigger.keys.join(', ')}.` }
      return { kind: 'waiting', note: `${since} events came, none satisfies the rules.` }
    },
    whenOver: {
      note: `No event satisfied the rules in ${input.waitS} s.`,
      remedy: 'Look at the events of this time under “Events”: does the field change when it should, and does the rule ask for the value that it has?'
    }
  })
}
