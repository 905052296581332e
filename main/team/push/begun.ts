import type { ClientBase } from 'pg'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { TeamAssignedStore } from '../../data/store/team/teamAssigned.ts'
import { refusalOf } from '../server/failures.ts'

/**
 * Reports which prepared jobs were started here. The team log's answer is stored for a person: both jobs stay in any
 * case. It believes only a job that it has; one whose log was not pushed yet is reported later.
 */
export async function tellBegun(
  client: ClientBase,
  kept: TeamAssignedStore,
  now: () => Date = () => new Date()
): Promise<void> {
  for (const { id, jobId } of kept.untold()) {
    const told = await askBegun(client, id, jobId)
    if (told) kept.setTold(id, now().toISOString(), whatBecame(told))
  }
}

interface Answer {
  outcome: string
  by_name: string
  at: Date
}

async function askBegun(client: ClientBase, id: string, jobId: string): Promise<Answer | undefined> {
  try {
    return (await client.query<Answer>('select outcome, by_name, at from fitter.begin_assignment($1, $2)', [id, jobId]))
      .rows[0]
  } catch (error) {
    if (refusalOf(error) === 'gap') return undefined
    throw error
  }
}

function whatBecame({ outcome, by_name: by, at }: Answer): Message | null {
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
