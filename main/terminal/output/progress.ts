import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Terminal } from './terminal.ts'

const saidEveryMs = 1_000

/** Reports the progress of long work, at most once a second; work that ends within a second is not reported. */
export function sayOften(
  terminal: Terminal,
  text: (done: number, total: number) => Message
): (done: number, total: number) => void {
  let saidAtMs = performance.now()
  return (done, total) => {
    if (performance.now() - saidAtMs < saidEveryMs) return
    saidAtMs = performance.now()
    terminal.say(text(done, total))
  }
}

export function sayMigration(terminal: Terminal): (done: number, total: number) => void {
  return sayOften(terminal, (done, all) => message('store.migrating', { done, all }))
}
