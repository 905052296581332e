import { ref, shallowRef } from 'vue'
import { asError } from './useAction.ts'

/** A question that may be asked again before it is answered: only the answer, or the failure, of the last request counts. */
export function useLatest<Args extends unknown[], Answer>(ask: (...args: Args) => Promise<Answer>, show: (answer: Answer) => void) {
  const busy = ref(false)
  const error = shallowRef<Error | null>(null)
  let last = 0

  async function run(...args: Args): Promise<void> {
    const own = ++last
    busy.value = true
    error.value = null
    try {
      const answer = await ask(...args)
      if (own === last) show(answer)
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
