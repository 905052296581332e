import { computed, onBeforeUnmount, ref, shallowRef } from 'vue'
import type { TeamCounts } from '../../preload/contract/team/teamNews.ts'
import { call } from '../base/bridge.ts'
import { t } from '../base/texts.ts'
import { rangeOf } from '../base/lists/dates.ts'

const atMostEveryMs = 2_000

/**
 * Counts of the whole team's work: for the head, the filters and the customers. Unknown while the team log cannot be
 * reached.
 */
export function useTeamCounts() {
  const counts = shallowRef<TeamCounts | null>(null)
  const technician = ref('')
  let timer: ReturnType<typeof setTimeout> | undefined

  async function count(): Promise<void> {
    const [since, monthSince] = [rangeOf('today').from, rangeOf('month').from]
    const wanted = technician.value
    const answer = await call('team.counts', {
      since,
      monthSince,
      ...(wanted === '' ? {} : { technician: wanted })
    }).catch(() => null)
    if (wanted === technician.value) counts.value = answer
  }

  /** Several news items cause one count. */
  function countSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void count()
    }, atMostEveryMs)
  }
  onBeforeUnmount(() => clearTimeout(timer))

  const head = computed(() => {
    const shown = counts.value
    if (!shown) return ''
    const parts = [
      t('windowTeamScreen.head.jobs', { n: shown.all }),
      t('windowTeamScreen.head.technicians', { n: shown.technicianCount })
    ]
    if (shown.firstTimeRightPercent !== null)
      parts.push(t('windowTeamScreen.head.firstTimeRight', { rightPercent: shown.firstTimeRightPercent }))
    return parts.join(', ')
  })

  return { counts, technician, head, count, countSoon }
}
