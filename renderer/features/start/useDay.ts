import { onMounted, onScopeDispose, shallowRef, watch } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { call } from '../../bridge.ts'
import { reader } from '../../say.ts'
import { useAction } from '../../ui/useAction.ts'
import { useJobs } from '../jobs/jobs.store.ts'
import { startOfDay, startOfWeek } from './dayTimes.ts'
import { presentMs } from '../../ui/presentTime.ts'

const renewEveryMs = 60_000

/** What was done today, from the log of this computer; asked again when a job changes, and as the day goes on. */
export function useDay() {
  const jobs = useJobs()
  const day = shallowRef<CallOutput<'day.work'> | null>(null)
  const loading = useAction(async () => {
    const now = presentMs()
    const { timeZone } = reader.value
    day.value = await call('day.work', { from: new Date(startOfDay(now, timeZone)).toISOString(), weekFrom: new Date(startOfWeek(now, timeZone)).toISOString() })
  })
  const timer = setInterval(() => void loading.run(), renewEveryMs)
  onScopeDispose(() => clearInterval(timer))
  onMounted(() => void loading.run())
  watch(() => jobs.openJobs, () => void loading.run())
  return { day, error: loading.error }
}
