import { onMounted, shallowRef } from 'vue'
import type { DiagnosisCase, DiagnosisOutcome, ServiceVisit } from '../../../../preload/contract/diagnosis/visits.ts'
import { call } from '../../../bridge.ts'
import { useAction } from '../../../ui/useAction.ts'

/** The planned visit, the notes and the outcome of one vehicle, as this computer has them. */
export function useVisit(about: { vehicleId: number | null; imei: string | null }) {
  const kept = shallowRef<DiagnosisCase | null>(null)
  const loading = useAction(async () => {
    kept.value = (await call('visits.read', about)).case
  })
  const saving = useAction(async (visit: ServiceVisit | null, outcome: DiagnosisOutcome) => {
    kept.value = (await call('visits.save', { ...about, visit, outcome })).case
  })
  const noting = useAction(async (text: string) => {
    kept.value = (await call('visits.addNote', { ...about, text })).case
  })
  onMounted(() => void loading.run())
  return { kept, loading, saving, noting }
}
