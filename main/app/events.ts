import type { EventName, Teller } from '../../preload/contract/events.ts'

export type EventListener = (name: EventName, payload: unknown) => void

export interface EventHub extends Teller {
  onEvent(listener: EventListener): () => void
}

/** One way out for everything that front ends are told. A listener that fails must not stop the others or the teller. */
export function createEventHub(reportFault: (error: unknown) => void): EventHub {
  const listeners = new Set<EventListener>()
  return {
    tell(name, payload) {
      for (const listener of listeners) {
        try {
          listener(name, payload)
        } catch (error) {
          reportFault(error)
        }
      }
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
