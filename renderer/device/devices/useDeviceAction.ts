import { computed, type ComputedRef, type Ref } from 'vue'
import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import { t } from '../../base/texts.ts'
import { useAction } from '../../base/ui/useAction.ts'
import { openDialog } from '../../base/shell/dialogs.ts'
import { useToasts } from '../../base/shell/toasts.store.ts'
import { goOnWith } from '../../base/shell/goOn.ts'
import { useJobs } from '../../base/shell/jobs.store.ts'
import { isReadyForJob, isRefused, maySignIn, openJobOf } from './standings.ts'
import { call } from '../../base/bridge.ts'

interface Next {
  text: string
  act(): unknown
}

/**
 * The next action for a device: continue its job, start one, or remove an obstacle. `explain` shows the reason when it
 * is blocked.
 */
export function useDeviceAction(
  device: () => SeenDevice,
  explain: () => void,
  startId: 'common.start' | 'common.startAJob' = 'common.startAJob'
): { text: ComputedRef<string>; busy: Ref<boolean>; run(): Promise<boolean> } {
  const jobs = useJobs()
  const toasts = useToasts()

  const next = computed<Next>(() => {
    const seen = device()
    if (isReadyForJob(seen)) {
      const open = openJobOf(jobs.openJobs, seen.imei)
      return open
        ? { text: t('common.continue'), act: () => goOnWith(open) }
        : { text: t(startId), act: () => openDialog({ what: 'newJob', deviceKey: seen.key }) }
    }
    if (isRefused(seen) || seen.standing === 'lost') return { text: t('common.why'), act: explain }
    if (maySignIn(seen))
      return { text: t('common.signIn'), act: () => openDialog({ what: 'signIn', deviceKey: seen.key }) }
    return { text: t('common.checkAgain'), act: () => call('discovery.ask', {}) }
  })
  const { busy, run } = useAction(async () => {
    try {
      await next.value.act()
    } catch (cause) {
      toasts.sayFailure(cause)
    }
  })
  return { text: computed(() => next.value.text), busy, run }
}
