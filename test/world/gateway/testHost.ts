import type { EventName } from '../../../preload/contract/events.ts'
import type { Host, OutputsLeft } from '../../../main/app/frontEnd.ts'

export interface TestHost extends Host {
  /** Every call that reached the core. */
  readonly calls: { name: string; input: unknown }[]
  readonly counts: { resumed: number; stopped: number; outputsOff: number; installed: number }
  /** What each further look at the outputs finds: what may still be on, or nothing; slow until it is let go on. */
  readonly outputs: { left: (OutputsLeft | null)[]; wait: Promise<void> }
  readonly faults: unknown[]
  emit(name: EventName, payload: unknown): void
}

/** A core that answers every call with what it was given, for tests of the shells around it. `slow` never answers. */
export function makeTestHost(): TestHost {
  const listeners = new Set<(name: EventName, payload: unknown) => void>()
  const calls: TestHost['calls'] = []
  const counts = { resumed: 0, stopped: 0, outputsOff: 0, installed: 0 }
  const outputs: TestHost['outputs'] = { left: [], wait: Promise.resolve() }
  const faults: unknown[] = []
  return {
    calls,
    counts,
    outputs,
    faults,
    async faulted(error) {
      faults.push(error)
    },
    async call(name, input) {
      calls.push({ name, input })
      if (name === 'slow') return new Promise(() => undefined)
      if (name === 'throws') throw new Error('secret detail')
      return { ok: true, value: { name, input } }
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    emit(name, payload) {
      for (const listener of listeners) listener(name, payload)
    },
    async answerMap(path, range) {
      return {
        status: 200,
        headers: { 'Content-Type': 'text/plain' },
        body: new TextEncoder().encode(`${path} ${range ?? ''}`)
      }
    },
    powerResumed() {
      counts.resumed += 1
    },
    async outputsOff() {
      counts.outputsOff += 1
      await outputs.wait
      return outputs.left.shift() ?? null
    },
    async stop() {
      counts.stopped += 1
    },
    async installUpdate() {
      // An update that comes before the end of the core is none.
      counts.installed += counts.stopped
    }
  }
}
