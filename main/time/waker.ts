/** A sleep that any code can end: for work that is due at a time, or when something happens. */
export interface Waker {
  sleep(ms: number): Promise<void>
  wake(): void
}

export function createWaker(): Waker {
  const sleeping = new Set<() => void>()
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(end, ms)
        function end(): void {
          clearTimeout(timer)
          sleeping.delete(end)
          resolve()
        }
        sleeping.add(end)
      }),
    wake() {
      for (const end of [...sleeping]) end()
    }
  }
}
