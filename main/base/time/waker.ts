/** A sleep that any code can end: for work that is due at a time, or when something happens. */
export function createWaker() {
  const sleeping = new Set<() => void>()
  return {
    sleep: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(end, ms)
        function end(): void {
          clearTimeout(timer)
          sleeping.delete(end)
          resolve()
        }
        sleeping.add(end)
      }),
    wake(): void {
      for (const end of [...sleeping]) end()
    }
  }
}

export type Waker = ReturnType<typeof createWaker>
