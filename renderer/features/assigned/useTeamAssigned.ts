import { shallowRef } from 'vue'
import type { Assigned } from '../../../preload/contract/teamAssigned.ts'
import { call } from '../../bridge.ts'
import { useAction } from '../../ui/useAction.ts'

/** What is prepared in the whole team, soonest first; without the team log, what is kept here. */
export function useTeamAssigned() {
  const rows = shallowRef<Assigned[]>([])
  const loading = useAction(async () => {
    rows.value = (await call('team.assigned', { whose: 'all', limit: 500 })).assigned
  })
  return { rows, load: () => loading.run(), error: loading.error }
}
