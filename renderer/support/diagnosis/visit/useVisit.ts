import { onMounted, shallowRef, watch } from 'vue'
import type { DiagnosisCase, DiagnosisOutcome, ServiceVisit } from '../../../../preload/contract/support/visits.ts'
import { call } from '../../../base/bridge.ts'
import { useAction, useLatest } from '../../../base/ui/useAction.ts'

/** The planned visit, the notes and the outcome of one vehicle, as this computer has them. */
export function useVisit(about: { vehicleId: number | null; imei: string | null }) {
  const kept = shallowRef<DiagnosisCase | null>(null)
  const loading = useAction(async () => {
    kept.value = (await call('visits.read', about)).case
  })
  const saving = useAction(async (visit: ServiceVisit | null, outcome: DiagnosisOutcome) => {
    kept.value = (await call('visits.save', { ...about, visit, outcome })).case
  })
  let next: [visit: ServiceVisit | null, outcome: DiagnosisOutcome] | null = null
  /** What is changed while the last change is being stored follows it. */
  async function save(visit: ServiceVisit | null, outcome: DiagnosisOutcome): Promise<void> {
    next = [visit, outcome]
    if (saving.busy.value) return
    while (next) {
      const now: typeof next = next
      next = null
      await saving.run(...now)
    }
  }
  const noting = useAction(async (text: string) => {
    kept.value = (await call('visits.addNote', { ...about, text })).case
  })
  onMounted(() => void loading.run())
  return { kept, loading, saving, save, noting }
}

/**
 * What this computer has about the vehicle on screen; null while nothing is known of it. `reload` after it was changed.
 */
export function useKeptCase(about: () => { vehicleId: number | null; imei: string | null } | null) {
  const kept = shallowRef<DiagnosisCase | null>(null)
  // Its failure is not shown: the diagnosis is complete without notes.
  const { run } = useLatest(
    (wanted: NonNullable<ReturnType<typeof about>>) => call('visits.read', wanted),
    (answer) => (kept.value = answer.case)
  )
  async function reload(): Promise<void> {
    const wanted = about()
    if (wanted !== null) await run(wanted)
  }
  watch(
    () => JSON.stringify(about()),
    () => void reload(),
    { immediate: true }
  )
  return { kept, reload }
}
