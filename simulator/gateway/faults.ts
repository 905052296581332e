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
  function takeFault(operation: string | null): Fault | undefined {
    const hit = active.find(({ fault, left }) => left > 0 && (fault.operation === undefined || fault.operation === operation))
    if (!hit) return undefined
    hit.left--
    return hit.fault
  }

  return { setFaults, takeFault }
}
