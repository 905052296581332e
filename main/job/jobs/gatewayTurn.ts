import { askAs } from '../../base/time/turns.ts'
import type { GatewayPort } from './engine/ports.ts'

/**
 * Takes turns with other jobs: each call waits until the gateway's limit allows it. `changed` is called while calls
 * wait.
 */
export function takeTurns(
  gateway: GatewayPort,
  { job, mostMs, changed }: { job: string; mostMs: number; changed(): void }
) {
  /** The waiting calls by name, and until when each waits (epoch ms). */
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
    /** The gateway for this job's calls. */
    gateway: eachCall(gateway, (name, ask) => {
      const call = {}
      return askAs({ name: job, line: { mostMs, waits: (untilMs) => follow(name, call, untilMs) } }, ask)
    }),
    /**
     * The same for one step. `waitsUntil`: when the gateway's limit allows its call (epoch ms); null while no call
     * waits.
     */
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
          const times = [...asking].flatMap(([name, open]) =>
            open > 0 ? [...(waiting.get(name)?.values() ?? [])] : []
          )
          return times.length > 0 ? Math.max(...times) : null
        }
      }
    }
  }
}

type Through = (name: string, ask: () => Promise<unknown>) => Promise<unknown>

/** The same port with `through` around each call. */
function eachCall<Port extends object>(port: Port, through: Through): Port {
  const calls = Object.entries(port).map(([name, part]: [string, unknown]) => {
    if (typeof part === 'function')
      return [
        name,
        (...inputs: unknown[]) => through(name, () => (part as (...inputs: unknown[]) => Promise<unknown>)(...inputs))
      ]
    return [name, part !== null && typeof part === 'object' ? eachCall(part, through) : part]
  })
  return Object.fromEntries(calls) as Port
}
