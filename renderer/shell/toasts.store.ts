import { defineStore } from 'pinia'
import { ref } from 'vue'

export interface Toast {
  id: number
  tone: 'pass' | 'fail'
  text: string
  error: Error | null
}

const keepMs = 6000

/** Short notes without a place on the screen. Failures stay until closed. */
export const useToasts = defineStore('toasts', () => {
  const toasts = ref<Toast[]>([])
  let lastId = 0

  function close(id: number): void {
    toasts.value = toasts.value.filter((toast) => toast.id !== id)
  }

  function say(text: string): void {
    const id = ++lastId
    toasts.value.push({ id, tone: 'pass', text, error: null })
    setTimeout(() => close(id), keepMs)
  }

  /** For what happened while the person did something else: it stays until closed. */
  function announce(text: string): void {
    toasts.value.push({ id: ++lastId, tone: 'pass', text, error: null })
  }

  function sayFailure(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    // The same failure, reported twice, is one note.
    toasts.value = toasts.value.filter((toast) => toast.text !== error.message)
    toasts.value.push({ id: ++lastId, tone: 'fail', text: error.message, error })
  }

  return { toasts, say, announce, sayFailure, close }
})
