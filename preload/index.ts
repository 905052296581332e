import { contextBridge, ipcRenderer } from 'electron'
import type { CallResult } from './contract/errors.ts'
import type { EventName } from './contract/events.ts'
import { message, type Message } from './contract/messages.ts'
import { beatChannel, callChannel, eventChannel } from './channels.ts'

type Listener = (name: EventName, payload: unknown) => void
const listeners = new Set<Listener>()

let heardMs = performance.now()
ipcRenderer.on(beatChannel, () => {
  heardMs = performance.now()
})

ipcRenderer.on(eventChannel, (_event, name: EventName, payload: unknown) => {
  heardMs = performance.now()
  // Only the two values are passed on: the event object would give the page its sender.
  for (const listener of listeners) listener(name, payload)
})

function failure(code: 'INVALID_REQUEST' | 'INTERNAL', sentence: Message): CallResult<never> {
  return { ok: false, error: { code, message: sentence, retryable: false } }
}

/** Vue's proxies cannot cross to main, and nothing but JSON should. */
function copyAsJson(input: unknown): unknown {
  return JSON.parse(JSON.stringify(input ?? {}))
}

async function call(name: unknown, input: unknown): Promise<CallResult<unknown>> {
  let copy: unknown
  try {
    copy = copyAsJson(input)
  } catch {
    return failure('INVALID_REQUEST', message('app.notPlainData'))
  }
  try {
    return (await ipcRenderer.invoke(callChannel, String(name), copy)) as CallResult<unknown>
  } catch {
    return failure('INTERNAL', message('app.silent'))
  }
}

function subscribe(listener: Listener): () => void {
  // A separate wrapper for each subscription, so that a function subscribed twice can be unsubscribed one at a time.
  const own: Listener = (name, payload) => listener(name, payload)
  listeners.add(own)
  return () => {
    listeners.delete(own)
  }
}

contextBridge.exposeInMainWorld('fitter', Object.freeze({ call, subscribe, lastHeardMs: () => heardMs }))
