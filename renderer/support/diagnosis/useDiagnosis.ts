import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { ChainLink, Diagnosis, DiagnosisSubject } from '../../../preload/contract/support/diagnosis.ts'
import { call } from '../../base/bridge.ts'
import { isFrozen } from '../../base/ui/time/frozen.ts'
import { useAction } from '../../base/ui/useAction.ts'
import { useReplay } from '../../device/readings/replay.ts'

const againAfterFaultMs = 5_000

/**
 * The diagnosis of a subject, live at the core's pace, or at a moment of the recorded session. The page makes one
 * request at a time: while the person drags through the session, the last moment wins.
 */
export function useDiagnosis(subject: DiagnosisSubject) {
  const look = shallowRef<Diagnosis | null>(null)
  const error = shallowRef<Error | null>(null)
  const recorded = computed(() => look.value?.recorded ?? null)
  const replay = useReplay(() =>
    recorded.value ? [[recorded.value.fromMs] as const, [recorded.value.toMs] as const] : []
  )
  /** Readings from before this time are the verdict of an earlier visit. */
  const openedMs = ref(Date.now())
  const retesting = ref<ChainLink | 'all' | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsking = false
  /** The first picture is what is known already; everything else follows it. */
  let isFirst = true
  let hiddenMs = Infinity
  let isOver = false

  async function ask(): Promise<void> {
    clearTimeout(timer)
    if (isAsking || isOver) return
    isAsking = true
    const atMs = replay.atMs.value
    let nextInMs = againAfterFaultMs
    try {
      if (!isFrozen.value) {
        const isQuick = isFirst && atMs === null
        isFirst = false
        const seen = await call('diagnosis.look', isQuick ? { subject, atMs, isQuick } : { subject, atMs })
        look.value = seen
        error.value = null
        nextInMs = isQuick ? 0 : seen.nextInMs
      }
    } catch (cause) {
      error.value = cause instanceof Error ? cause : new Error(String(cause))
    } finally {
      isAsking = false
    }
    if (isOver || document.visibilityState === 'hidden') return
    const isLate = replay.atMs.value !== atMs
    if (isLate) void ask()
    // A recorded moment does not change.
    else if (atMs === null) timer = setTimeout(() => void ask(), nextInMs)
  }
  function follow(): void {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') hiddenMs = Date.now()
    else {
      if (look.value && Date.now() - hiddenMs > look.value.openedAfterMs) openedMs.value = Date.now()
      void ask()
    }
  }

  const testing = useAction(async (link: ChainLink | null) => {
    retesting.value = link ?? 'all'
    try {
      look.value = await call('diagnosis.retest', { subject, link }, 120_000)
    } finally {
      retesting.value = null
    }
  })

  watch(replay.atMs, () => void ask())
  document.addEventListener('visibilitychange', follow)
  onScopeDispose(() => {
    isOver = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', follow)
  })
  void ask()
  return { look, error, openedMs, recorded, replay, retesting, testing, askNow: ask }
}

export type Diagnosing = ReturnType<typeof useDiagnosis>
