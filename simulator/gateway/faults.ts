import type { Fault } from './types.ts'
import { listedEndpoints } from './router.ts'

/** The faults in force, each with what is left of its `times`. */
export function createFaults() {
  let active: { fault: Fault; left: number }[] = []

  /** Replaces all faults; throws when one names an operation that does not exist. */
  function setFaults(faults: Fault[]): void {
    for (const { operation } of faults) {
      if (operation !== undefined && !listedEndpoints.some(listed => listed.id === operation)) throw new Error(`no gateway operation ${operation}`)
    }
    active = faults.map(fault => ({ fault, left: fault.times ?? Infinity }))
  }

  /** The fault that hits this request, counted down. */
  function takeFault(operation: string | null, text = ''): Fault | undefined {
    const isMeant = ({ operation: only, mentions }: Fault): boolean => (only === undefined || only === operation) && (mentions === undefined || text.includes(mentions))
    const hit = active.find(({ fault, left }) => left > 0 && isMeant(fault))
    if (!hit) return undefined
    hit.left--
    return hit.fault
  }

  return { setFaults, takeFault }
}
