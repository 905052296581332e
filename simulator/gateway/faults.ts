import type { Fault } from './types.ts'
import { listedEndpoints } from './router.ts'

/** The active faults, each with the remaining `times`. */
export function createFaults() {
  let active: { fault: Fault; left: number }[] = []

  /** Replaces all faults; throws for an unknown operation. */
  function setFaults(faults: Fault[]): void {
    for (const { operation } of faults) {
      if (operation !== undefined && !listedEndpoints.some((listed) => listed.id === operation))
        throw new Error(`no gateway operation ${operation}`)
    }
    active = faults.map((fault) => ({ fault, left: fault.times ?? Infinity }))
  }

  function takeFault(operation: string | null, text = ''): Fault | undefined {
    const isMeant = ({ operation: only, mentions }: Fault): boolean =>
      (only === undefined || only === operation) && (mentions === undefined || text.includes(mentions))
    const hit = active.find(({ fault, left }) => left > 0 && isMeant(fault))
    if (!hit) return undefined
    hit.left--
    return hit.fault
  }

  return { setFaults, takeFault }
}
