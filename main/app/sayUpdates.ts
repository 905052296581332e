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

/** The line of the self-check. A waiting version is no fault; a feed that cannot be used is one. */
export function updatesFinding(state: UpdatesState): Finding {
  return { name: message('common.updates'), group: 'computer', ok: state.problem === null, detail: state.problem ?? sayUpdates(state), remedy: state.problem && message('updates.remedy') }
}
