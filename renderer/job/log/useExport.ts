import { computed, onBeforeUnmount, ref, shallowRef } from 'vue'
import type { CallInput } from '../../../preload/contract/index.ts'
import type { JobExport } from '../../../preload/contract/job/jobLog.ts'
import { BridgeError, call, subscribe } from '../../base/bridge.ts'
import { t } from '../../base/texts.ts'
import { useToasts } from '../../base/shell/toasts.store.ts'
import { saveBlob } from '../../base/saveFile.ts'
import { readPieces } from '../../base/shell/filePieces.ts'
import { asError } from '../../base/ui/useAction.ts'

/** Before this time no estimate is possible. */
const estimateAfterMs = 1_000

/** Writing many jobs into one file: the progress, the estimated time, and the finished file. */
export function useExport() {
  const progress = shallowRef<JobExport | null>(null)
  const isBusy = ref(false)
  const startedAtMs = ref(0)
  const error = shallowRef<Error | null>(null)
  const toasts = useToasts()
  let finishing = ''

  const isRunning = computed(() => isBusy.value || progress.value?.state === 'running')
  const leftMs = ref<number | null>(null)

  function receive(next: JobExport): void {
    if (next.id !== progress.value?.id) return
    progress.value = next
    const written = next.done + next.leftOut
    const tookMs = Date.now() - startedAtMs.value
    leftMs.value = written > 0 && tookMs > estimateAfterMs ? (tookMs / written) * (next.total - written) : null
    if (next.state === 'running' || finishing === next.id) return
    finishing = next.id
    void (next.state === 'ready' ? fetchFile(next) : fail(next))
  }

  async function fetchFile({ id, fileName, mediaType, done, leftOut }: JobExport): Promise<void> {
    try {
      const isWanted = (): boolean => progress.value?.id === id
      const pieces = await readPieces(async (from) =>
        isWanted() ? call('jobLog.exportPart', { id, from }) : { base64: '', next: null }
      )
      if (!isWanted()) return
      saveBlob(fileName, new Blob(pieces, { type: mediaType }))
      toasts.say(
        leftOut > 0
          ? t('windowLog.export.savedWithout', { file: fileName, n: done, left: leftOut })
          : t('windowLog.export.saved', { file: fileName, n: done })
      )
    } catch (cause) {
      error.value = asError(cause)
    } finally {
      await end(id)
    }
  }

  async function fail({ id, problem }: JobExport): Promise<void> {
    if (problem) error.value = new BridgeError({ code: 'CONFLICT', message: problem, retryable: false })
    await end(id)
  }

  /** The core keeps the file until the page asks for its removal. */
  async function end(id: string): Promise<void> {
    if (progress.value?.id === id) {
      progress.value = null
      isBusy.value = false
    }
    await call('jobLog.endExport', { id }).catch(toasts.sayFailure)
  }

  async function begin(wish: CallInput<'jobLog.export'>): Promise<void> {
    if (isRunning.value) return
    isBusy.value = true
    error.value = null
    leftMs.value = null
    startedAtMs.value = Date.now()
    try {
      progress.value = await call('jobLog.export', wish)
      // The export may have ended before its number was known here.
      receive(await call('jobLog.exportState', { id: progress.value.id }))
    } catch (cause) {
      error.value = asError(cause)
      progress.value = null
      isBusy.value = false
    }
  }

  async function cancel(): Promise<void> {
    if (progress.value) await end(progress.value.id)
  }

  const stop = subscribe('jobLog.export', receive)
  onBeforeUnmount(() => {
    stop()
    void cancel()
  })

  return { progress, isRunning, leftMs, error, begin, cancel }
}
