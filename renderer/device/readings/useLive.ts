import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { LiveFacts, LiveOperation, LiveReading } from '../../../preload/contract/device/workspace.ts'
import { call } from '../../base/bridge.ts'
import { asError } from '../../base/ui/useAction.ts'

type Readings = Partial<Record<LiveOperation, LiveReading>>

let lastView = 0
/** Several windows may show the same device: they must not close each other's views. */
const page = Math.random().toString(36).slice(2, 10)

export function newView(): string {
  lastView += 1
  return `${page}-${String(lastView)}`
}

const againAfterFaultMs = 5_000

/**
 * Reads operations of a device repeatedly while the component lives and the window is visible, at the core's pace.
 * Running requests are cancelled at the end.
 */
export function useLive(
  key: () => string,
  operations: readonly LiveOperation[],
  everyMs: number | (() => number) = 1_000
) {
  const view = newView()
  const readings = shallowRef<Readings>({})
  const facts = shallowRef<LiveFacts>({})
  const isSlow = ref(false)
  const error = shallowRef<Error | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  let round = 0

  async function read(): Promise<void> {
    clearTimeout(timer)
    const mine = ++round
    if (key() === '') return
    let nextInMs = againAfterFaultMs
    try {
      const result = await call('workspace.read', {
        key: key(),
        view,
        operations: [...operations],
        everyMs: typeof everyMs === 'number' ? everyMs : everyMs()
      })
      if (mine !== round) return
      // A round without an answer keeps the last readings, marked by the failure.
      readings.value = Object.fromEntries(
        Object.entries(result.readings).map(([name, reading]) => {
          const before = readings.value[name as LiveOperation]
          return [name, reading.failure && before ? { ...before, failure: reading.failure } : reading]
        })
      )
      facts.value = {
        ...facts.value,
        ...result.facts,
        links: { ...facts.value.links, ...result.facts.links },
        linkTexts: { ...facts.value.linkTexts, ...result.facts.linkTexts }
      }
      isSlow.value = result.isSlow
      error.value = null
      nextInMs = result.nextInMs
    } catch (cause) {
      if (mine !== round) return
      error.value = asError(cause)
    }
    if (!isOver && document.visibilityState !== 'hidden') timer = setTimeout(() => void read(), nextInMs)
  }

  function stop(): void {
    clearTimeout(timer)
    round += 1
    call('workspace.closeView', { view }).catch(() => undefined)
  }

  function follow(): void {
    if (document.visibilityState === 'hidden') stop()
    else void read()
  }

  watch(key, () => {
    readings.value = {}
    facts.value = {}
    void read()
  })
  document.addEventListener('visibilitychange', follow)
  onScopeDispose(() => {
    isOver = true
    document.removeEventListener('visibilitychange', follow)
    stop()
  })
  void read()

  return { readings, facts, isSlow, error, readNow: read }
}
