import { onMounted, onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef, type WatchSource } from 'vue'

export interface Action<Args extends unknown[]> {
  busy: Ref<boolean>
  /** True once it takes longer than a person expects. */
  slow: Ref<boolean>
  error: ShallowRef<Error | null>
  /** Runs the work; returns true on success. A second run while busy does nothing. */
  run: (...args: Args) => Promise<boolean>
}

const slowAfterMs = 5000

/** What was thrown, as an error. */
export function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}

/** A button's work: whether it runs, whether it takes long, and why it failed. */
export function useAction<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>): Action<Args> {
  const busy = ref(false)
  const slow = ref(false)
  const error = shallowRef<Error | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined

  async function run(...args: Args): Promise<boolean> {
    if (busy.value) return false
    busy.value = true
    error.value = null
    timer = setTimeout(() => {
      slow.value = true
    }, slowAfterMs)
    try {
      await work(...args)
      return true
    } catch (cause) {
      error.value = asError(cause)
      return false
    } finally {
      clearTimeout(timer)
      busy.value = false
      slow.value = false
    }
  }

  onScopeDispose(() => clearTimeout(timer))
  return { busy, slow, error, run }
}

/**
 * What a screen reads when it opens, and again when `about` changes; `forget` first takes what was read about something
 * else from the screen. A second run while it is read is not lost, as that of a button is: it is read once more
 * afterwards, and until then `isLast` is false: what was read is not what is asked now.
 */
export function useReading(
  work: (isLast: () => boolean) => Promise<unknown>,
  about?: WatchSource<unknown> | readonly WatchSource<unknown>[],
  forget?: () => void
): Action<[]> {
  let isAskedAgain = false
  let running: Promise<boolean> = Promise.resolve(true)
  const action = useAction(async () => {
    do {
      isAskedAgain = false
      try {
        await work(() => !isAskedAgain)
      } catch (cause) {
        if (!isAskedAgain) throw cause
      }
    } while (isAskedAgain)
  })

  function run(): Promise<boolean> {
    isAskedAgain = action.busy.value
    if (!isAskedAgain) running = action.run()
    return running
  }

  onMounted(() => void run())
  onScopeDispose(() => (isAskedAgain = false))
  if (about !== undefined) {
    watch(about as WatchSource<unknown>, () => {
      forget?.()
      void run()
    })
  }
  return { ...action, run }
}

/**
 * A question that may be asked again before it is answered: only the answer, or the failure, of the last request
 * counts.
 * Without `show`, `ask` itself takes no other answer.
 */
export function useLatest<Args extends unknown[], Answer>(
  ask: (...args: Args) => Promise<Answer>,
  show?: (answer: Answer) => void
) {
  const busy = ref(false)
  const error = shallowRef<Error | null>(null)
  let last = 0

  async function run(...args: Args): Promise<void> {
    const own = ++last
    busy.value = true
    error.value = null
    try {
      const answer = await ask(...args)
      if (own === last) show?.(answer)
    } catch (cause) {
      if (own === last) error.value = asError(cause)
    }
    if (own === last) busy.value = false
  }

  /** What is still asked for is of no interest any more. */
  function drop(): void {
    last += 1
    busy.value = false
    error.value = null
  }

  return { busy, error, run, drop }
}
