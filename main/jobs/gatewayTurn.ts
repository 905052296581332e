import { askAs } from '../time/turns.ts'
import type { GatewayPort } from './engine/ports.ts'

/** Takes turns with the other jobs: each call waits in line until the limit allows it. `changed` tells which steps wait. */
export function takeTurns(gateway: GatewayPort, { job, mostMs, changed }: { job: string; mostMs: number; changed(): void }) {
  /** By name of the call: until when each one waits that does. */
  const waiting = new Map<string, Map<object, number>>()
  let countdown: NodeJS.Timeout | undefined

  function follow(name: string, call: object, untilMs: number | null): void {
    const calls = waiting.get(name) ?? new Map<object, number>()
    if (untilMs === (calls.get(call) ?? null)) return
    if (untilMs === null) calls.delete(call)
    else calls.set(call, untilMs)
    waiting.set(name, calls)
    const isWaiting = [...waiting.values()].some(({ size }) => size > 0)
    if (isWaiting && !countdown) countdown = setInterval(changed, 1_000).unref()
    if (!isWaiting) {
      clearInterval(countdown)
      countdown = undefined
    }
    changed()
  }

  return {
    /** The gateway, where every call is one of this job's. */
    gateway: eachCall(gateway, (name, ask) => {
      const call = {}
      return askAs({ name: job, line: { mostMs, waits: (untilMs) => follow(name, call, untilMs) } }, ask)
    }),
    /** The same for one step. `waitsUntil`: when the limit of the gateway allows its call (epoch ms); null while none waits for that. */
    ofStep(shared: GatewayPort): { gateway: GatewayPort; waitsUntil(): number | null } {
      const asking = new Map<string, number>()
      const count = (name: string, more: 1 | -1): void => void asking.set(name, (asking.get(name) ?? 0) + more)
      return {
        gateway: eachCall(shared, async (name, ask) => {
          count(name, 1)
          try {
            return await ask()
          } finally {
            count(name, -1)
          }
        }),
        waitsUntil() {
          const times = [...asking].flatMap(([name, open]) => (open > 0 ? [...(waiting.get(name)?.values() ?? [])] : []))
          return times.length > 0 ? Math.max(...times) : null
        }
      }
    }
  }
}

type Through = (name: string, ask: () => Promise<unknown>) => Promise<unknown>

/** The same port, each call of which goes through `through`. */
function eachCall<Port extends object>(port: Port, through: Through): Port {
  const calls = Object.entries(port).map(([name, part]: [string, unknown]) => {
    if (typeof part === 'function') return [name, (...inputs: unknown[]) => through(name, () => (part as (...inputs: unknown[]) => Promise<unknown>)(...inputs))]
    return [name, part !== null && typeof part === 'object' ? eachCall(part, through) : part]
  })
  return Object.fromEntries(calls) as Port
}
