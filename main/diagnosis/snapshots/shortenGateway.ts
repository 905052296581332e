import type { GatewayEvidence, SeenEvent } from '../../../preload/contract/evidence.ts'

/** The newest of all, and the newest of each type: what a diagnosis needs of them. */
const newest = 3
const mostTypes = 8
const mostLetters = 4_000

/** A snapshot is of one moment: of the events that the gateway has, only those that say how it stood then. */
export function shortenGateway(gateway: GatewayEvidence): GatewayEvidence {
  if (!gateway.events) return gateway
  const types = new Set<number | null>()
  const events: SeenEvent[] = []
  for (const [index, event] of gateway.events.value.entries()) {
    const isFirstOfType = !types.has(event.type) && types.size < mostTypes
    if (index >= newest && !isFirstOfType) continue
    types.add(event.type)
    events.push(JSON.stringify(event.raw).length > mostLetters ? { ...event, raw: null } : event)
  }
  return { ...gateway, events: { ...gateway.events, value: events } }
}
