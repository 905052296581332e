import { onBeforeUnmount, onMounted, ref, shallowRef } from 'vue'
import type { BundleAbout, BundleHolds, PreparedBundle } from '../../../preload/contract/support/bundles.ts'
import type { Events } from '../../../preload/contract/events.ts'
import { call, subscribe } from '../../base/bridge.ts'
import { saveBlob } from '../../base/saveFile.ts'
import { readPieces } from '../../base/shell/filePieces.ts'
import { t } from '../../base/texts.ts'
import { useAction } from '../../base/ui/useAction.ts'
import { usePolicy } from '../../base/shell/policy.store.ts'
import { useToasts } from '../../base/shell/toasts.store.ts'

/** A support bundle that is created, reviewed and saved. The core has it until the dialog closes. */
export function useBundle(about: BundleAbout) {
  const view = crypto.randomUUID()
  const holds = ref<BundleHolds>({ photos: true, positions: true, names: true })
  const prepared = shallowRef<PreparedBundle | null>(null)
  /** The last one that was ready: its counts stay while a new one is made. */
  const latest = shallowRef<PreparedBundle | null>(null)
  const progress = shallowRef<Events['bundles.progress'] | null>(null)
  const toasts = useToasts()
  const policy = usePolicy()

  const making = useAction(async () => {
    prepared.value = null
    progress.value = null
    prepared.value = latest.value = await call('bundles.prepare', { view, about, holds: holds.value })
  })

  const saving = useAction(async () => {
    const file = prepared.value
    if (!file) return
    saveBlob(
      file.fileName,
      new Blob(await readPieces((from) => call('bundles.part', { view, from })), { type: 'application/zip' })
    )
    await policy.load()
    const mail = policy.entryOf('support.mail')?.value
    toasts.say(
      typeof mail === 'string'
        ? t('windowBundles.savedFor', { file: file.fileName, mail })
        : t('windowBundles.saved', { file: file.fileName })
    )
  })

  function hold(name: keyof BundleHolds, isHeld: boolean): void {
    holds.value = { ...holds.value, [name]: isHeld }
    void making.run()
  }

  const stopListening = subscribe('bundles.progress', (next) => {
    if (next.view === view) progress.value = next
  })
  onMounted(() => void making.run())
  onBeforeUnmount(() => {
    stopListening()
    void call('bundles.end', { view }).catch(() => undefined)
  })

  return { view, holds, prepared, latest, progress, making, saving, hold }
}
