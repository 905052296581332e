import type { EventName, Teller } from '../../preload/contract/events.ts'

export type EventListener = (name: EventName, payload: unknown) => void

export interface EventHub extends Teller {
  onEvent(listener: EventListener): () => void
}

/** The one way for events to the front ends. A listener that fails must not stop the others or the sender. */
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
