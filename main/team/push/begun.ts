import type { ClientBase } from 'pg'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { TeamAssignedStore } from '../../store/team/teamAssigned.ts'

/** Reports which prepared jobs were started here. The team log's answer is stored for a person: both jobs stay in any case. */
export async function tellBegun(
  client: ClientBase,
  kept: TeamAssignedStore,
  now: () => Date = () => new Date()
): Promise<void> {
  for (const { id, jobId } of kept.untold()) {
    const { rows } = await client.query<{ outcome: string; by_name: string; at: Date }>(
      'select outcome, by_name, at from fitter.begin_assignment($1, $2)',
      [id, jobId]
    )
    const [told] = rows
    if (told) kept.setTold(id, now().toISOString(), whatBecame(told))
  }
}

function whatBecame({ outcome, by_name: by, at }: { outcome: string; by_name: string; at: Date }): Message | null {
  switch (outcome) {
    case 'begunBefore':
      return message('assigned.begunBefore', { by, begunAt: at.toISOString() })
    case 'withdrawn':
      return message('assigned.withdrawnBefore', { by, withdrawnAt: at.toISOString() })
    case 'forOther':
      return message('assigned.forOther', { by })
    default:
      return null
  }
}
