import { defineStore } from 'pinia'
import { reactive, ref } from 'vue'

export interface Toast {
  id: number
  text: string
  error: Error | null
}

export interface PastToast {
  id: number
  text: string
  /** ISO 8601. */
  at: string
}

const keepMs = 6000
const mostPast = 20

/** Short notes without a place on the screen. Failures stay until closed. */
export const useToasts = defineStore('toasts', () => {
  const toasts = ref<Toast[]>([])
  /** What was done since this page was opened, newest first. */
  const past = ref<PastToast[]>([])
  /** Ids of notices that the person has marked as read. */
  const read = reactive(new Set<string>())
  let lastId = 0

  function close(id: number): void {
    toasts.value = toasts.value.filter((toast) => toast.id !== id)
  }

  function say(text: string): void {
    const id = announce(text)
    setTimeout(() => close(id), keepMs)
  }

  /** For what happened while the person did something else: it stays until closed. */
  function announce(text: string): number {
    const id = ++lastId
    toasts.value.push({ id, text, error: null })
    past.value = [{ id, text, at: new Date().toISOString() }, ...past.value].slice(0, mostPast)
    return id
  }

  function sayFailure(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    // The same failure, reported twice, is one note.
    toasts.value = toasts.value.filter((toast) => toast.text !== error.message)
    toasts.value.push({ id: ++lastId, text: error.message, error })
  }

  return { toasts, past, read, say, announce, sayFailure, close }
})
