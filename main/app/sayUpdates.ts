import type { Finding } from '../../preload/contract/app/app.ts'
import type { UpdatesState } from '../../preload/contract/app/updates.ts'
import { message, type Message } from '../../preload/contract/messages.ts'

/** What is known about updates, in one sentence. */
export function sayUpdates({ notByItself, installed, latest, checkedAt, policy }: UpdatesState): Message {
  if (notByItself) return notByItself
  if (checkedAt === null || latest === null) return message('updates.notChecked')
  if (latest === installed) return message('updates.upToDate', { checkedAt })
  if (policy?.version) return message('updates.heldAt', { version: policy.version, latest })
  return message('updates.lastChecked', { checkedAt, latest })
}

/**
 * The line of the self-check. A waiting version and a missing connection are no faults; a feed that was refused is one.
 */
export function updatesFinding(state: UpdatesState): Finding {
  const refused = state.problem?.id.startsWith('updates.refused.') ? state.problem : null
  return {
    name: message('common.updates'),
    part: 'updates',
    group: 'computer',
    ok: refused === null,
    detail: refused ?? sayUpdates(state),
    remedy: refused && message('updates.remedy')
  }
}
